/** A name as it is written: `maya` is Maya, `seed:7` stays. */
export const named = (name: string): string => (/^[a-z]+$/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name);

/** A model's address in words: `embedded:` is built in, `ollama:qwen3` is qwen3 by Ollama. */
export function modelName(address: string): string {
  const [, kind = "", rest = ""] = /^(\w+):(.*)$/.exec(address) ?? [];
  const [place = "", name = ""] = rest.split("#");
  switch (kind) {
    case "embedded":
      return rest ? `Built in, ${rest}` : "Built in";
    case "scripted":
      return "Answers for testing";
    case "ollama":
      return `${rest.split("?")[0]}, by Ollama`;
    case "openai":
      return name ? `${name}, at ${hostOf(place)}` : hostOf(place);
    default:
      return address;
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

export const percent = (share: number): string => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`);

export function duration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

export const count = (number: number): string => number.toLocaleString("en");

export const size = (bytes: number): string => (bytes >= 1_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`);

export const article = (word: string): string => (/^[aeiou]/i.test(word) ? "an" : "a");

const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
/** A day without a time, such as «16 November 2026». */
export const day = (iso: string): string => (iso ? DATE.format(new Date(iso)) : "");
export const when = (iso: string): string => (iso ? DAY.format(new Date(iso)) : "");
