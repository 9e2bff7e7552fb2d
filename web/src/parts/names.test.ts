import { expect, test } from "vitest";
import { duration, modelName, percent, size } from "./names";

test("numbers are written for people", () => {
  expect([3.2, 1500, 61_000].map(duration)).toEqual(["3 ms", "1.5 s", "1 min 1 s"]);
  expect([0, 0.001, 0.5].map(percent)).toEqual(["0 %", "< 1 %", "50 %"]);
  expect([12, 409_060, 7_409_060].map(size)).toEqual(["1 kB", "409 kB", "7.4 MB"]);
});

test("a model's address is said in words", () => {
  expect(["embedded:", "embedded:small", "ollama:qwen3?tools=1", "openai:http://localhost:8000/v1#mine", "plugin:x"].map(modelName)).toEqual([
    "Built in",
    "Built in, small",
    "qwen3, by Ollama",
    "mine, at localhost:8000",
    "plugin:x",
  ]);
});
