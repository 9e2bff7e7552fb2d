/** A name as it is written: `maya` is Maya, `seed:7` stays. */
export const named = (name: string): string => (/^[a-z]+$/.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name);

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function duration(ms: number): string {
  return ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
/** A day without a time, such as «16 November 2026». */
export const day = (iso: string): string => (iso ? DATE.format(new Date(iso)) : "");
export const when = (iso: string): string => (iso ? DAY.format(new Date(iso)) : "");
