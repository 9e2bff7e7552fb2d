import { expect, test } from "vitest";
import { EMPTY_ROOM, type Room } from "../state/room";
import { NOTHING } from "../trace/story";
import type { Alarm, Alert, TurnView } from "../wire";
import { standing } from "./standing";

const ALARM: Alarm = { tier: "active", danger: "suicide", help: [], emergency: "", country: "" };
const ALERT: Alert = { tier: "imminent", danger: "medical", signs: [], failed: [], ms: 1 };
const turn = (number: number, alarm: Alarm | null, state: TurnView["state"] = "answered") => ({ number, alarm, state }) as TurnView;
const room = (...turns: TurnView[]): Room => ({ ...EMPTY_ROOM, turns });
const told = (number: number, screened: Alert) => ({ [number]: { answer: { ...NOTHING, screened }, back: null } });

test("an alarm stands for some turns, and then no longer", () => {
  expect(standing(room(turn(0, ALARM), turn(1, null), turn(2, null)))).toEqual({ tier: "active", danger: "suicide", alarm: ALARM });
  expect(standing(room(turn(0, ALARM), turn(1, null), turn(2, null), turn(3, null)))).toBeNull();
});

test("it stands as soon as something is noticed, before there is an answer", () => {
  expect(standing({ ...room(turn(0, null, "answering")), stories: told(0, ALERT) })).toEqual({ tier: "imminent", danger: "medical", alarm: null });
});

test("concern alone raises no alarm, and of a turn that is over only its alarm counts", () => {
  expect(standing({ ...room(turn(0, null, "answering")), stories: told(0, { ...ALERT, tier: "concern" }) })).toBeNull();
  expect(standing({ ...room(turn(0, null)), stories: told(0, ALERT) })).toBeNull();
});
