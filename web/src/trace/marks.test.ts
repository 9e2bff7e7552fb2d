import { expect, test } from "vitest";
import type { Output } from "../wire";
import { find, marked, quotesOf, type Quote, type Stretch } from "./marks";

const quote = (text: string, origin: Quote["origin"] = "cue"): Quote => ({ text, origin, meaning: `means ${text}` });
const shown = (stretches: readonly Stretch[] | undefined) => (stretches ?? []).filter(({ quotes }) => quotes.length).map(({ text, quotes }) => [text, quotes.map((each) => each.text)]);

test("a quote is found despite case, spaces, edges and the shape of quotation marks", () => {
  expect(find('"i don\'t KNOW how."', "Well, I  don’t know\nhow.")).toEqual([6, 23]);
});

test("whole words are found before parts of words", () => {
  expect(find("art", "heart of art")).toEqual([9, 12]);
  expect(find("心", "我的心很痛")).toEqual([2, 3]);
});

test("nothing is found for a quote of nothing or of what was not said", () => {
  expect(find(" … ", "anything")).toBeNull();
  expect(find("my dog", "I failed my exam")).toBeNull();
});

test("a quote is no pattern", () => {
  expect(find("(.*)", "all of it")).toBeNull();
  expect(find("a+b", "so a+b it is")).toEqual([3, 6]);
  expect(find("]-[^/{1}|\\d", "x ]-[^/{1}|\\d y")).toEqual([2, 13]);
});

test("a quote is marked where it stands, whatever its case, and the text stays whole", () => {
  const [stretches] = marked(["Fine, until I noticed."], [quote("fine, until")]);
  expect(stretches?.map(({ text }) => text)).toEqual(["Fine, until", " I noticed."]);
  expect(stretches?.[0]?.quotes[0]?.meaning).toBe("means fine, until");
});

test("overlapping quotes share a piece", () => {
  const [stretches] = marked(["one two three"], [quote("one two"), quote("two three", "cause")]);
  expect(shown(stretches)).toEqual([
    ["one ", ["one two"]],
    ["two", ["one two", "two three"]],
    [" three", ["two three"]],
  ]);
});

test("a quote is marked once, in the latest turn that has it", () => {
  expect(marked(["so sad", "so sad", "fine"], [quote("so sad")]).map(shown)).toEqual([[], [["so sad", ["so sad"]]], []]);
});

test("only words are looked for in the text", () => {
  const evidence = { kind: "evidence", summary: "", cues: [{ source: "face", quote: "a frown", meaning: "x" }, { source: "words", quote: "I failed", meaning: "y" }] } as unknown as Output;
  const cause: Output = { kind: "cause", spans: ["my exam"], category: "Loss & Failure", summary: "" };
  expect(quotesOf([evidence, cause]).map(({ text, origin }) => [text, origin])).toEqual([
    ["I failed", "cue"],
    ["my exam", "cause"],
  ]);
});

test("the pieces put together are the text, whatever is quoted", () => {
  const texts = ["so <b>sad</b> and \\ (.*) [a-z] 心 😀 é’s", "\u202e \u2028 “x” 'y'", ""];
  const quotes = ["(.*)", "😀", "sad</b>", "“x”", "é's", "\\", "[a-z", "y'", "心"].map((each) => quote(each));
  expect(marked(texts, quotes).map((stretches) => stretches.map(({ text }) => text).join(""))).toEqual(texts);
});
