/** The state of the room, in words. */
import { current } from "../trace/story";
import { doingOf } from "../trace/names";
import type { Waiting } from "../wire";
import type { Room } from "./room";

export type Mood = "idle" | "listening" | "thinking" | "speaking";

const PLACES = ["next", "second", "third", "fourth", "fifth", "sixth"];

export function moodOf(room: Room): Mood {
  if (room.sounding) return "speaking";
  if (awaited(room) || room.voicing !== null) return "thinking";
  return room.sensed.speaking ? "listening" : "idle";
}

export function stateWords(room: Room, hearing: boolean): string {
  if (room.link.kind === "broken") return "The line is broken. Trying again by itself; nothing is lost.";
  if (room.waiting) return queueWords(room.waiting);
  if (room.sounding) return "speaking";
  const turn = answering(room);
  if (turn) return thinkingWords(room, turn.number);
  if (sending(room)) return room.link.kind === "open" ? "thinking" : "Your words go out as soon as the line is there";
  if (room.voicing !== null) return "finding the voice for it";
  if (room.link.kind === "opening") return "coming in";
  return hearing ? "listening" : "here, with time for you";
}

const sending = (room: Room): boolean => room.pending.some((each) => !each.refused);

/** An answer is on its way: what was said is being sent, waits, or is being answered. */
export const awaited = (room: Room): boolean => answering(room) !== undefined || sending(room);

/** The turn that is being answered, if any. */
export function answering(room: Room) {
  const last = room.turns.at(-1);
  return last && (last.state === "answering" || last.state === "waiting") ? last : undefined;
}

function thinkingWords(room: Room, turn: number): string {
  const story = room.stories[turn];
  const step = story && current(story.answer);
  return step ? `thinking: ${doingOf(step.step)}` : "thinking";
}

export function queueWords({ place, seconds }: Waiting): string {
  const where = PLACES[place - 1] ?? `number ${place}`;
  const about = Math.max(1, Math.round(seconds));
  return `${where} in the queue, about ${about < 90 ? `${about} s` : `${Math.round(about / 60)} min`}`;
}
