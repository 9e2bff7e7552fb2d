/** The numbers in what the table of services says, as links that a telephone understands. */

export interface Dial {
  readonly way: "call" | "text";
  /** As it is written. */
  readonly number: string;
  readonly href: string;
  /** What a text must say, where it must say something. */
  readonly word: string;
  /** What stands behind the number: whom one reaches, or from where. */
  readonly about: string;
}

const NUMBER = /\*?(?:\(\d+\) ?)?\d(?:[ -]?\d)*/g;
const WAYS = /\b(call or text|call|text|whatsapp)\b/gi;
const WORD = /\btext (\S+) to $/i;
const JOINS = /^[\s,(]+|[\s,)]+$|\b(?:or|and)\s*$/gi;

/** Every way to reach somebody in such words as «call 1-800-799-7233 or text START to 88788»; a bare number is to be called. */
export function dialsOf(how: string): readonly Dial[] {
  const found = [...how.matchAll(NUMBER)];
  return found.flatMap((match, index) => {
    const before = how.slice(0, match.index);
    const about = how.slice(match.index + match[0].length, found[index + 1]?.index);
    return waysOf(before).map((way) => dial(way, match[0], way === "text" ? (WORD.exec(before)?.[1] ?? "") : "", about));
  });
}

/** The last one named. Messengers need a number of another form, so theirs stays plain. */
function waysOf(before: string): readonly Dial["way"][] {
  const last = [...before.matchAll(WAYS)].at(-1)?.[1]?.toLowerCase() ?? "call";
  if (last === "whatsapp") return [];
  return last === "call or text" ? ["call", "text"] : [last as Dial["way"]];
}

function dial(way: Dial["way"], number: string, word: string, about: string): Dial {
  const digits = number.replace(/[^\d*]/g, "");
  const href = way === "call" ? `tel:${digits}` : `sms:${digits}${word && `?body=${encodeURIComponent(word)}`}`;
  return { way, number, href, word, about: about.replace(/\b(or|and)?\s*(call|text|whatsapp)\b.*$/i, "").replaceAll(JOINS, "").replaceAll(JOINS, "").trim() };
}
