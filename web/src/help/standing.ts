/** Whether somebody may be in danger at this moment, and what is said about it in a line. */
import type { Room } from "../state/room";
import { answering } from "../state/words";
import type { Alarm, PersonView } from "../wire";

export interface Standing {
  readonly tier: "active" | "imminent";
  readonly danger: Alarm["danger"];
  /** What came with the turn; nothing while it is still being answered. */
  readonly alarm: Alarm | null;
}

/** As the latest turn has it: what was noticed before the first step of the one that is being answered, else the alarm of the last answered one. */
export function standing(room: Room): Standing | null {
  const open = answering(room);
  const alert = open && room.stories[open.number]?.answer.screened;
  if (alert) return raised({ tier: alert.tier, danger: alert.danger ?? "despair" }, null);
  // A turn that was not answered to the end may raise an alarm, but it ends none.
  const latest = room.turns.findLast(({ state, alarm }) => state === "answered" || !!alarm);
  return latest?.alarm ? raised(latest.alarm, latest.alarm) : null;
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

/** While somebody may be in danger, no picture of whoever listens smiles. */
export const pictureOf = ({ picture, serious_picture }: PersonView, grave: boolean): string => (grave ? serious_picture : picture);

export const warmLine = ({ danger }: Standing): string => LINES[danger];
