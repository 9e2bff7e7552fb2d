import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EMPTY_ROOM, type Room } from "../state/room";
import type { Visit } from "../state/visit";
import type { Alarm, ServerOptions, TurnView } from "../wire";
import { HelpCard } from "./HelpCard";

const ALARM: Alarm = { tier: "active", danger: "suicide", help: [{ name: "Lifeline", how: "call 988", number: "988", hours: "", free: true }], emergency: "911", country: "US" };
const OPTIONS = { country: "US", countries: [{ code: "US", name: "the United States" }] } as unknown as ServerOptions;
const turn = (number: number, alarm: Alarm | null, state: TurnView["state"] = "answered") => ({ number, alarm, state }) as TurnView;
const shown = (room: Partial<Room>) => renderToStaticMarkup(createElement(HelpCard, { room: { ...EMPTY_ROOM, ...room }, visit: {} as Visit, options: OPTIONS }));

test("the card has the numbers, says that it may be folded away, and can be told that it is wrong", () => {
  const card = shown({ turns: [turn(0, ALARM)] });
  expect(card).toContain('href="tel:911"');
  expect(card).toContain("Lifeline");
  expect(card).toContain("You may fold this away at any time.");
  expect(card).toContain("This is not about me");
  expect(card).not.toContain('disabled=""');
});

test("nothing is corrected while an answer is on its way", () => {
  expect(shown({ turns: [turn(0, ALARM), turn(1, null, "answering")] })).toContain('disabled=""');
  expect(shown({ turns: [turn(0, ALARM)], pending: [{ id: "m1", text: "no", refused: false }] })).toContain('disabled=""');
  expect(shown({ turns: [turn(0, ALARM)], pending: [{ id: "m1", text: "no", refused: true }] })).not.toContain('disabled=""');
});

test("it goes with its buttons as soon as the danger has fallen", () => {
  expect(shown({ turns: [turn(0, ALARM), turn(1, null)] })).toBe('<div class="helping" aria-live="polite"></div>');
});
