import { expect, test } from "vitest";
import { LABELS } from "../wire";
import { messageName } from "./messages";

test("every kind of message that the program knows has a name that people understand", () => {
  expect(LABELS.messages!.length).toBeGreaterThan(10);
  expect(LABELS.messages!.filter((kind) => messageName(kind) === kind)).toEqual([]);
  expect(messageName("constructor")).toBe("constructor");
});
