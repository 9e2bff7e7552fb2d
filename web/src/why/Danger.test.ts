import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NOTHING } from "../trace/story";
import type { Alert, Sign } from "../wire";
import { inDanger } from "./columns";
import { Danger } from "./Danger";

const ALERT: Alert = { tier: "active", danger: "suicide", who: "self", state: "opened", act: "", acts: [], language: "", signs: [], unease: 0, failed: [], ms: 1 };
const SIGN: Sign = { by: "answer", tier: "active", danger: "suicide", quote: "yes", why: "", confidence: null };
const told = (change: Partial<Alert>) => renderToStaticMarkup(createElement(Danger, { alert: { ...ALERT, ...change } }));
/** As it was kept before there were these fields. */
const old = (tier: Alert["tier"]): Alert => ({ tier, danger: "suicide", signs: [], failed: [], ms: 1 }) as unknown as Alert;

test("a doubt asks, and what was said against it is taken as the answer", () => {
  const asked = "Something gives concern, so one kind, open question was asked.";
  expect(told({ tier: "concern", state: "doubt" })).toContain(asked);
  expect(told({ tier: "concern", state: "" })).not.toContain("question");
  const heard = told({ tier: "concern", state: "heard", act: "joke" });
  expect(heard).toContain("It was said that there is no danger, and that was taken as the answer.");
  expect(heard).toContain("It was said that it was not meant so.");
  expect(heard).not.toContain("thought to be about");
});

test("whose danger it is and where the talk about it stands is told in words", () => {
  expect(told({})).toContain("It is thought to be about you. It came up with these words.");
  expect(told({ who: "other", state: "open", act: "not_me" })).toContain("It is thought to be about somebody you speak of. It came up before, and is still being talked about. It was said that this is about somebody else.");
  expect(told({ state: "checked" })).toContain("Before it is let go");
  expect(told({ state: "turned" })).toContain("turned to something else");
});

test("every detector has a name", () => {
  expect(told({ signs: [SIGN] })).toContain("The answer to a question: thoughts of suicide");
  expect(told({ signs: [{ ...SIGN, by: "phrases" }] })).toContain("The weighing of phrases: ");
  expect(told({ signs: [{ ...SIGN, by: "language" }] })).toContain("A rule about words of another language: ");
});

test("older records are told as far as they go", () => {
  expect(renderToStaticMarkup(createElement(Danger, { alert: old("active") }))).toContain("Somebody may be in danger, so");
  expect(renderToStaticMarkup(createElement(Danger, { alert: old("concern") }))).not.toMatch(/undefined|question/);
});

test("after a reviewed reply no other step will come, whatever its tier", () => {
  const danger = (screened: Alert) => inDanger({ ...NOTHING, screened });
  expect(danger({ ...ALERT, tier: "concern", state: "doubt" })).toBe(true);
  expect(danger({ ...ALERT, tier: "concern", state: "" })).toBe(false);
  expect(danger(old("imminent"))).toBe(true);
  expect(inDanger(NOTHING)).toBe(false);
});
