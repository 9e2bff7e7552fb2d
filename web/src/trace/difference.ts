/** What changed between two texts, word by word: the longest common run of words stays, the rest is gone or new. */

export interface Piece {
  readonly text: string;
  readonly kind: "same" | "gone" | "new";
}

/** Longer texts are not compared word by word: it would take too long, and nobody would read it. */
const WORDS_AT_MOST = 3000;
const WORD = /\s*(?:[\p{L}\p{N}_][\p{L}\p{N}_'’-]*|\S)|\s+$/gu;

interface Run {
  readonly alike: boolean;
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

/** Same and new, put together, are the text after; same and gone are the text before. */
export function difference(before: string, after: string): readonly Piece[] {
  return withoutIslands(runsOf(words(before), words(after))).flatMap(pieces).filter(({ text }) => text);
}

const words = (text: string): readonly string[] => text.match(WORD) ?? [];

function runsOf(old: readonly string[], fresh: readonly string[]): readonly Run[] {
  if (old.length > WORDS_AT_MOST || fresh.length > WORDS_AT_MOST) return [{ alike: old.join("") === fresh.join(""), old, fresh }];
  const table = lengths(old, fresh);
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [a, b] = [i, j];
    while (i < old.length && j < fresh.length && old[i] === fresh[j]) i++, j++;
    if (i > a) {
      runs.push({ alike: true, old: old.slice(a, i), fresh: fresh.slice(b, j) });
      continue;
    }
    while ((i < old.length || j < fresh.length) && !(i < old.length && j < fresh.length && old[i] === fresh[j])) {
      if (j >= fresh.length || (i < old.length && table[i + 1]![j]! >= table[i]![j + 1]!)) i++;
      else j++;
    }
    runs.push({ alike: false, old: old.slice(a, i), fresh: fresh.slice(b, j) });
  }
  return runs;
}

/** For each pair of rests, how many words they have in common. */
function lengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      table[i]![j] = old[i] === fresh[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}

/** A lone word in common between two changes is read as changed with them. */
function withoutIslands(runs: readonly Run[]): readonly Run[] {
  return runs.reduce<Run[]>((joined, run, index) => {
    const alike = run.alike && !(run.old.length === 1 && index > 0 && index < runs.length - 1);
    const last = joined.at(-1);
    if (last?.alike !== alike) return [...joined, { ...run, alike }];
    return [...joined.slice(0, -1), { alike, old: [...last.old, ...run.old], fresh: [...last.fresh, ...run.fresh] }];
  }, []);
}

function pieces({ alike, old, fresh }: Run): readonly Piece[] {
  if (alike) return [{ kind: "same", text: fresh.join("") }];
  return [
    { kind: "gone", text: old.join("") },
    { kind: "new", text: fresh.join("") },
  ];
}
