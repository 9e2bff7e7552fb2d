import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NOTHING, type Story } from "../trace/story";
import type { Alert, TurnView } from "../wire";
import { TurnItem } from "./TurnItem";

const ALERT: Alert = { tier: "none", danger: null, who: null, state: "", act: "", language: "", signs: [], failed: ["reader: no answer within 8 s"], ms: 1 };
const LINE = "The check for danger could not run fully for this answer.";
const told = (screened: Alert): Story => ({ answer: { ...NOTHING, screened }, back: null });
const shown = (reply: string, story?: Story) =>
  renderToStaticMarkup(
    createElement(TurnItem, { turn: { number: 0, state: "answered", said: "hello", reply, reminder: "", emotion: "" } as TurnView, story, sounding: null, clock: () => 0, follow: () => undefined, session: "s", name: "Maya", open: false, last: true, again: () => undefined }),
  );

test("that a detector could not look is said beside the reply", () => {
  expect(shown("I am here.", told(ALERT))).toContain(LINE);
  expect(shown("I am here.", told({ ...ALERT, failed: [] }))).not.toContain(LINE);
  expect(shown("I am here.")).not.toContain(LINE);
});

test("it is said of a reply, so not before there is one", () => {
  expect(shown("", told(ALERT))).not.toContain(LINE);
});
