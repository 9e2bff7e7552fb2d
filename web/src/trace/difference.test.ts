import { expect, test } from "vitest";
import { difference } from "./difference";

test("words that stay are kept, the rest is gone or new", () => {
  expect(difference("in a steady tone", "in a tender tone")).toEqual([
    { kind: "same", text: "in a " },
    { kind: "gone", text: "steady " },
    { kind: "new", text: "tender " },
    { kind: "same", text: "tone" },
  ]);
});

test("the new text can be read off it", () => {
  const [before, after] = ["I am so sorry. What happened then?", "Oh, I am sorry to hear it. What happened?"];
  const read = difference(before, after).filter(({ kind }) => kind !== "gone").map(({ text }) => text).join("");
  expect(read).toBe(after);
});

test("nothing changed, everything new, everything gone", () => {
  expect(difference("same", "same")).toEqual([{ kind: "same", text: "same" }]);
  expect(difference("", "new")).toEqual([{ kind: "new", text: "new" }]);
  expect(difference("gone", "")).toEqual([{ kind: "gone", text: "gone" }]);
});
