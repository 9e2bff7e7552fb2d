import { expect, test } from "vitest";
import { difference } from "./difference";

const read = (before: string, after: string, without: "gone" | "new") =>
  difference(before, after)
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

test("words that changed stand between words that did not", () => {
  expect(difference("I am so glad for you.", "I am so sorry for you.")).toEqual([
    { kind: "same", text: "I am so" },
    { kind: "gone", text: " glad" },
    { kind: "new", text: " sorry" },
    { kind: "same", text: " for you." },
  ]);
});

test("nothing changed, everything new, everything gone", () => {
  expect(difference("same", "same")).toEqual([{ kind: "same", text: "same" }]);
  expect(difference("", "")).toEqual([]);
  expect(difference("", "new")).toEqual([{ kind: "new", text: "new" }]);
  expect(difference("gone", "")).toEqual([{ kind: "gone", text: "gone" }]);
});

test("a lone word in common is no island", () => {
  expect(difference("cats like fish", "dogs like bones")).toEqual([
    { kind: "gone", text: "cats like fish" },
    { kind: "new", text: "dogs like bones" },
  ]);
});

test("very long texts are replaced whole", () => {
  const long = "word ".repeat(3001);
  expect(difference(`${long}a`, `${long}b`).map(({ kind }) => kind)).toEqual(["gone", "new"]);
});

test("both texts can be read off, whatever they are", () => {
  const few = ["I", "am", "so", "sorry", "glad", ",", ".", " ", "\n", "é’s", "心", "😀", "\u202e"];
  let seed = 7;
  const next = (most: number) => (seed = (seed * 48271) % 2147483647) % most;
  const text = () => Array.from({ length: next(14) }, () => few[next(few.length)]! + (next(3) ? " " : "")).join("");
  for (let round = 0; round < 500; round++) {
    const [before, after] = [text(), text()];
    expect(read(before, after, "gone")).toBe(after);
    expect(read(before, after, "new")).toBe(before);
  }
});
