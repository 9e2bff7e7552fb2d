import { difference } from "../trace/difference";

/** A text, and where there was another one before, what changed in it. */
export function Text({ now, before }: { now: string; before?: string | undefined }) {
  if (before === undefined || before === now) return now;
  return difference(before, now).map(({ kind, text }, index) => {
    if (kind === "same") return text;
    return kind === "new" ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
  });
}

/** A value, and the whole of what it was before. */
export function Was({ now, before }: { now: string; before?: string | undefined }) {
  if (before === undefined || before === now) return now;
  return (
    <>
      <del>{before}</del> <ins>{now}</ins>
    </>
  );
}
