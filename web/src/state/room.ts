/** The room as it is known here: what the server says and what the sound does, through one pure reducer. */
import type { LinkState } from "../live/link";
import { tell, UNTOLD, type Story } from "../trace/story";
import type { FaceSeen, FromServer, SaidWord, Sensing, SessionView, Speech, TurnView, Waiting } from "../wire";

/** A reply that is being heard. */
export interface Sounding {
  readonly turn: number;
  readonly pieces: readonly Speech[];
  /** All words so far, with their seconds in the reply's sound. */
  readonly words: readonly SaidWord[];
}

/** What is seen and heard of the person at this moment. */
export interface Sensed {
  readonly face: FaceSeen | null;
  readonly speaking: boolean;
  /** What was understood of the turn so far. */
  readonly heard: string;
}

/** Words that were sent and are not yet known to have arrived. */
export interface Pending {
  /** The server takes them once by it, however often they are sent. */
  readonly id: string;
  readonly text: string;
  /** The server would not take them; they wait for the person to decide. */
  readonly refused: boolean;
}

export interface Room {
  readonly link: LinkState;
  readonly session: SessionView | null;
  readonly turns: readonly TurnView[];
  readonly stories: Readonly<Record<number, Story>>;
  readonly waiting: Waiting | null;
  readonly sounding: Sounding | null;
  /** The turn whose voice is still to come. */
  readonly voicing: number | null;
  readonly sensed: Sensed;
  readonly pending: readonly Pending[];
  /** Words that did not arrive, on their way back to where they were written. */
  readonly returned: string;
  /** Something went wrong that the person should know. */
  readonly error: string;
  /** Replies are to be spoken. */
  readonly voice: boolean;
  /** The browser does not let the page make sound yet. */
  readonly blocked: boolean;
}

export type RoomAction =
  | { readonly type: "link"; readonly state: LinkState }
  | { readonly type: "server"; readonly message: FromServer }
  | { readonly type: "said"; readonly id: string; readonly text: string }
  | { readonly type: "unsent"; readonly pending: readonly Pending[] }
  | { readonly type: "said again"; readonly pending: Pending }
  | { readonly type: "taken back"; readonly pending: Pending }
  | { readonly type: "returned"; readonly text: string }
  | { readonly type: "session"; readonly session: SessionView }
  | { readonly type: "story"; readonly turn: number; readonly story: Story }
  | { readonly type: "blocked"; readonly blocked: boolean }
  | { readonly type: "voice"; readonly on: boolean }
  | { readonly type: "silent" }
  | { readonly type: "error"; readonly text: string };

const UNSEEN: Sensed = { face: null, speaking: false, heard: "" };

export const EMPTY_ROOM: Room = {
  link: { kind: "opening" },
  session: null,
  turns: [],
  stories: {},
  waiting: null,
  sounding: null,
  voicing: null,
  sensed: UNSEEN,
  pending: [],
  returned: "",
  error: "",
  voice: true,
  blocked: false,
};

export function reduceRoom(room: Room, action: RoomAction): Room {
  switch (action.type) {
    case "link":
      return { ...room, link: action.state, ...(action.state.kind !== "open" && { sensed: UNSEEN, waiting: null, voicing: null }) };
    case "server":
      return received(room, action.message);
    case "said":
      return { ...room, pending: [...room.pending, { id: action.id, text: action.text, refused: false }], error: "", sounding: null };
    case "unsent":
      return { ...room, pending: action.pending };
    case "said again":
      return { ...room, pending: room.pending.map((each) => (each === action.pending ? { ...each, refused: false } : each)), error: "" };
    case "taken back":
      return { ...room, pending: room.pending.filter((each) => each !== action.pending), error: "" };
    case "returned":
      return { ...room, returned: action.text };
    case "session":
      return { ...room, session: action.session };
    case "story":
      return { ...room, stories: { ...room.stories, [action.turn]: action.story } };
    case "blocked":
      return room.blocked === action.blocked ? room : { ...room, blocked: action.blocked };
    case "voice":
      return { ...room, voice: action.on };
    case "silent":
      return { ...room, sounding: null, voicing: null };
    case "error":
      return { ...room, error: action.text };
  }
}

function received(room: Room, message: FromServer): Room {
  switch (message.kind) {
    case "ready":
      return { ...room, session: message.session, turns: message.session.conversation, stories: whole(room.stories), pending: stillPending(room.pending, message.session.conversation) };
    case "waiting":
      return { ...room, waiting: message };
    case "turn":
      return turned(room, message.turn);
    case "happened":
      return happened(room, message.turn, tell(room.stories[message.turn] ?? UNTOLD, message));
    case "sensing":
      return { ...room, sensed: sensed(room.sensed, message.event) };
    case "speech":
      return { ...room, sounding: heard(room.sounding, message), voicing: null };
    case "hush":
      return { ...room, voicing: null, sounding: room.sounding?.turn === message.turn ? null : room.sounding };
    case "error":
      return { ...room, error: message.message, pending: message.code === "senses" ? room.pending : room.pending.map((each) => ({ ...each, refused: true })) };
    case "pong":
      return room;
  }
}

function turned(room: Room, turn: TurnView): Room {
  const turns = [...room.turns.filter((each) => each.number !== turn.number), turn].sort((a, b) => a.number - b.number);
  const waiting = turn.state === "waiting" ? room.waiting : null;
  const begun = room.turns.length < turns.length;
  return { ...room, turns, waiting, voicing: stillVoicing(room, turn), pending: stillPending(room.pending, turns), sensed: begun ? { ...room.sensed, heard: "" } : room.sensed };
}

/** From the thinking until the first sound, or until it is clear that none will come. */
function stillVoicing(room: Room, turn: TurnView): number | null {
  if (turn.state === "answering") return room.voice ? turn.number : null;
  const silent = turn.state !== "answered" || turn.interrupted || turn.times.last_sound_ms !== null;
  return room.voicing === turn.number && silent ? null : room.voicing;
}

const happened = (room: Room, turn: number, story: Story): Room => ({ ...room, waiting: null, stories: { ...room.stories, [turn]: story } });

/** What was told of a turn until the line broke has a gap; it is read again from the store. */
const whole = (stories: Room["stories"]): Room["stories"] => Object.fromEntries(Object.entries(stories).filter(([, story]) => story.answer.finished));

/** Words have arrived once a turn came of them. */
function stillPending(pending: readonly Pending[], turns: readonly TurnView[]): readonly Pending[] {
  return pending.filter(({ id }) => !turns.some((turn) => turn.message_id === id));
}

function sensed(before: Sensed, event: Sensing["event"]): Sensed {
  switch (event.kind) {
    case "face":
      return { ...before, face: event.moment || !before.face ? event : { ...event, moment: before.face.moment } };
    case "voice activity":
      return { ...before, speaking: event.speaking };
    case "spoken":
      return { ...before, heard: [before.heard, ...event.heard.words.map((word) => word.text)].join(" ").trim() };
    case "turn over":
      return { ...before, speaking: false };
  }
}

function heard(before: Sounding | null, speech: Speech): Sounding {
  const words = speech.timeline.words.map((word) => ({ ...word, start: word.start + speech.start, end: word.end + speech.start }));
  if (before?.turn !== speech.turn) return { turn: speech.turn, pieces: [speech], words };
  return { ...before, pieces: [...before.pieces, speech], words: [...before.words, ...words] };
}
