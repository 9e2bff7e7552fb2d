import { expect, test } from "vitest";
import { dataOf } from "./stream";

test("whole events are read and the rest is left for the next piece", () => {
  expect(dataOf('data: {"a":1}\n\nevent: x\ndata: {"b":2}\n\ndata: {"c"')).toEqual({ data: ['{"a":1}', '{"b":2}'], left: 'data: {"c"' });
});

test("comments that keep a line alive, and other line ends, do no harm", () => {
  expect(dataOf(": still here\r\n\r\ndata: 1\r\n\r\n")).toEqual({ data: ["1"], left: "" });
});
