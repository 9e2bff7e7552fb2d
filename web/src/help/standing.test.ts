import { expect, test } from "vitest";
import { EMPTY_ROOM, type Room } from "../state/room";
import { NOTHING } from "../trace/story";
import type { Alarm, Alert, TurnView } from "../wire";
import { standing } from "./standing";

const ALARM: Alarm = { tier: "active", danger: "suicide", help: [], emergency: "", country: "" };
const ALERT: Alert = { tier: "imminent", danger: "medical", who: "self", state: "opened", act: "", acts: [], language: "", signs: [], unease: 0, failed: [], ms: 1 };
const turn = (number: number, alarm: Alarm | null, state: TurnView["state"] = "answered") => ({ number, alarm, state }) as TurnView;
const room = (...turns: TurnView[]): Room => ({ ...EMPTY_ROOM, turns });
const told = (number: number, screened: Alert) => ({ [number]: { answer: { ...NOTHING, screened }, back: null } });

test("the last answered turn says whether an alarm stands", () => {
  expect(standing(room(turn(0, null), turn(1, ALARM)))).toEqual({ tier: "active", danger: "suicide", alarm: ALARM });
  expect(standing(room(turn(0, ALARM), turn(1, null)))).toBeNull();
  expect(standing(room())).toBeNull();
});

test("it stands on until it is known what the next words tell, and then follows them at once", () => {
  const next = room(turn(0, ALARM), turn(1, null, "answering"));
  expect(standing(next)).toMatchObject({ tier: "active", alarm: ALARM });
  expect(standing({ ...next, stories: told(1, ALERT) })).toMatchObject({ tier: "imminent", danger: "medical" });
  expect(standing({ ...next, stories: told(1, { ...ALERT, tier: "concern", state: "heard" }) })).toBeNull();
});

test("a turn that was not answered to the end raises an alarm, but ends none", () => {
  expect(standing(room(turn(0, null), turn(1, ALARM, "unfinished")))).toMatchObject({ alarm: ALARM });
  expect(standing(room(turn(0, ALARM), turn(1, null, "failed")))).toMatchObject({ alarm: ALARM });
  expect(standing(room(turn(0, ALARM, "failed"), turn(1, null)))).toBeNull();
});

test("it stands as soon as something is noticed, before there is an answer", () => {
  expect(standing({ ...room(turn(0, null, "answering")), stories: told(0, ALERT) })).toEqual({ tier: "imminent", danger: "medical", alarm: null });
});

test("concern alone raises no alarm, and of a turn that is over only its alarm counts", () => {
  expect(standing({ ...room(turn(0, null, "answering")), stories: told(0, { ...ALERT, tier: "concern" }) })).toBeNull();
  expect(standing({ ...room(turn(0, null)), stories: told(0, ALERT) })).toBeNull();
});
