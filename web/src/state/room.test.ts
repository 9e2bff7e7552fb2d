import { expect, test } from "vitest";
import type { FromServer, SessionView, Speech, Times, TurnView } from "../wire";
import { EMPTY_ROOM, reduceRoom, type Room, type RoomAction } from "./room";
import { moodOf, stateWords } from "./words";

const TIMES: Times = { understood_ms: null, first_step_ms: null, first_word_ms: null, last_word_ms: null, first_sound_ms: null, heard_ms: null, last_sound_ms: null, waited_ms: null };
const turn = (number: number, change: Partial<TurnView> = {}): TurnView => ({ number, state: "answering", said: "hello", language: "", by: "typed", message_id: "", readings: null, reply: "", interrupted: false, heard: "", identity: "", emotion: "", made: "", times: TIMES, error: "", afterthought: null, alarm: null, reminder: "", ...change });
const session = (conversation: readonly TurnView[]): SessionView => ({ id: "s", title: "", made: "", touched: "", turns: conversation.length, identity: "maya", kept: true, recipe: "", model: "", pace: "quick", country: "", conversation });
const speech = (piece: number, start: number): Speech => ({
  kind: "speech",
  turn: 0,
  piece,
  start,
  seconds: 1,
  last: false,
  timeline: { format: "heartfelt timeline 1", style: { emotion: "sad", intensity: 1, tone: "" }, persona: "", start, seconds: 1, rate: 50, words: [{ text: "I", start: 0.2, end: 0.3, at: piece, spoken: "I", confidence: null }], phones: [], channels: {} },
});
const server = (message: FromServer): RoomAction => ({ type: "server", message });
const after = (...actions: RoomAction[]): Room => actions.reduce(reduceRoom, reduceRoom(EMPTY_ROOM, { type: "link", state: { kind: "open" } }));

test("words that were sent wait until a turn came of them, even across a broken line", () => {
  const sent = after(server({ kind: "ready", session: session([turn(0, { said: "again", state: "answered" })]) }), { type: "said", id: "m1", text: "again" });
  expect(sent.pending).toEqual([{ id: "m1", text: "again", refused: false }]);
  expect(reduceRoom(sent, server({ kind: "ready", session: session(sent.turns) })).pending).toHaveLength(1);
  expect(reduceRoom(sent, server({ kind: "turn", turn: turn(1, { said: "again" }) })).pending).toHaveLength(1);
  expect(reduceRoom(sent, server({ kind: "turn", turn: turn(1, { said: "again", message_id: "m1" }) })).pending).toEqual([]);
});

test("the same words said twice are two", () => {
  const room = after({ type: "said", id: "m1", text: "no" }, { type: "said", id: "m2", text: "no" }, server({ kind: "turn", turn: turn(0, { said: "no", message_id: "m1" }) }));
  expect(room.pending.map((each) => each.id)).toEqual(["m2"]);
});

test("words that are sent again keep their id", () => {
  const refused = after({ type: "said", id: "m1", text: "one" }, server({ kind: "error", code: "busy", message: "Too many.", turn: null }));
  expect(reduceRoom(refused, { type: "said again", pending: refused.pending[0]! }).pending).toEqual([{ id: "m1", text: "one", refused: false }]);
});

test("words that are refused stay, and nobody seems to think about them", () => {
  const room = after({ type: "said", id: "m1", text: "one" }, server({ kind: "error", code: "busy", message: "Too many.", turn: null }));
  expect(room.pending[0]).toMatchObject({ text: "one", refused: true });
  expect(moodOf(room)).toBe("idle");
});

test("the words of all pieces are on one clock", () => {
  const room = after(server(speech(0, 0)), server(speech(1, 1.5)));
  expect(room.sounding?.words.map((word) => word.start)).toEqual([0.2, 1.7]);
  expect(reduceRoom(room, server({ kind: "hush", turn: 0, why: "stopped" })).sounding).toBeNull();
});

test("between the last thought and the first sound it finds its voice, and not when none will come", () => {
  const answered = after(server({ kind: "turn", turn: turn(0) }), server({ kind: "turn", turn: turn(0, { state: "answered", reply: "x" }) }));
  expect(stateWords(answered, false)).toBe("finding the voice for it");
  expect(moodOf(reduceRoom(answered, server({ kind: "turn", turn: turn(0, { state: "failed" }) })))).toBe("idle");
  const mute = after({ type: "voice", on: false }, server({ kind: "turn", turn: turn(0) }), server({ kind: "turn", turn: turn(0, { state: "answered" }) }));
  expect(moodOf(mute)).toBe("idle");
});

test("a place in the queue is said in words", () => {
  const room = after(server({ kind: "turn", turn: turn(0, { state: "waiting" }) }), server({ kind: "waiting", turn: 0, place: 3, seconds: 19.6 }));
  expect(stateWords(room, false)).toBe("third in the queue, about 20 s");
});

test("a broken line is said, and what was seen is no longer true", () => {
  const room = after(server({ kind: "sensing", event: { kind: "voice activity", time: 1, speaking: true } }), { type: "link", state: { kind: "broken", at: 0, tries: 1 } });
  expect(stateWords(room, true)).toMatch(/broken/);
  expect(room.sensed.speaking).toBe(false);
});
