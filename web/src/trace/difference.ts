/** What changed between two texts, word by word: the longest common run of words stays, the rest is gone or new. */

export interface Piece {
  readonly text: string;
  readonly kind: "same" | "gone" | "new";
}

const WORDS_AT_MOST = 400;

export function difference(before: string, after: string): readonly Piece[] {
  if (before === after) return after ? [{ text: after, kind: "same" }] : [];
  const [old, fresh] = [words(before), words(after)];
  if (old.length > WORDS_AT_MOST || fresh.length > WORDS_AT_MOST) return gathered([{ text: before, kind: "gone" }, { text: after, kind: "new" }]);
  return gathered(walked(old, fresh, lengths(old, fresh)));
}

const words = (text: string): string[] => text.match(/\S+\s*/g) ?? [];
const alike = (a: string | undefined, b: string | undefined): boolean => a?.trim() === b?.trim();

/** For each pair of rests, how many words they have in common. */
function lengths(old: string[], fresh: string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      table[i]![j] = alike(old[i], fresh[j]) ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}

function walked(old: string[], fresh: string[], table: number[][]): Piece[] {
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && alike(old[i], fresh[j])) {
      pieces.push({ text: fresh[j]!, kind: "same" });
      i++, j++;
    } else if (j >= fresh.length || (i < old.length && table[i + 1]![j]! >= table[i]![j + 1]!)) {
      pieces.push({ text: old[i++]!, kind: "gone" });
    } else {
      pieces.push({ text: fresh[j++]!, kind: "new" });
    }
  }
  return pieces;
}

function gathered(pieces: Piece[]): Piece[] {
  return pieces.reduce<Piece[]>((all, piece) => {
    const last = all.at(-1);
    if (last?.kind !== piece.kind) return [...all, piece];
    return [...all.slice(0, -1), { kind: piece.kind, text: last.text + piece.text }];
  }, []);
}
