/** Whether somebody may be in danger at this moment, and what is said about it in a line. */
import type { Room } from "../state/room";
import { answering } from "../state/words";
import type { Alarm, TurnView } from "../wire";

/** An alarm stands for some turns, whatever is said next. */
const TURNS = 3;

export interface Standing {
  readonly tier: "active" | "imminent";
  readonly danger: Alarm["danger"];
  /** What came with the turn; nothing while it is still being answered. */
  readonly alarm: Alarm | null;
}

/** The latest alarm of the last turns. Of a turn that is not over yet, what was noticed before its first step. */
export function standing(room: Room): Standing | null {
  const open = answering(room)?.number;
  for (const turn of room.turns.slice(-TURNS).reverse()) {
    const found = turn.alarm ? raised(turn.alarm, turn.alarm) : turn.number === open ? noticed(room, turn) : null;
    if (found) return found;
  }
  return null;
}

function noticed(room: Room, { number }: TurnView): Standing | null {
  const alert = room.stories[number]?.answer.screened;
  return alert ? raised({ tier: alert.tier, danger: alert.danger ?? "despair" }, null) : null;
}

const raised = ({ tier, danger }: Pick<Alarm, "tier" | "danger">, alarm: Alarm | null): Standing | null => (tier === "active" || tier === "imminent" ? { tier, danger, alarm } : null);

const LINES: Readonly<Record<Alarm["danger"], string>> = {
  suicide: "You do not have to be alone with this. People are there for you.",
  despair: "You do not have to be alone with this. People are there for you.",
  "self-harm": "You do not have to be alone with this. People are there for you.",
  eating: "You do not have to be alone with this. People are there for you.",
  abuse: "You deserve to be safe. People can help with this.",
  child: "Everybody deserves to be safe. People can help with this.",
  violence: "Nobody has to face this alone. People can help with this.",
  medical: "This may need medical help now. Please call.",
};

export const warmLine = ({ danger }: Standing): string => LINES[danger];
