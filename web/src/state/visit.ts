/** One visit to a conversation: it owns the socket, the sound of the reply and the way of the devices to the server. */
import * as api from "../api/client";
import { pictureFrame, soundFrame, type ReplySound } from "../live/frames";
import { HeldSound } from "../live/held";
import { Link, type LinkState } from "../live/link";
import { BargeIn } from "../sound/bargein";
import { Player } from "../sound/player";
import type { Begin, FromServer, SessionChange, Speech } from "../wire";
import type { Devices, DevicesState } from "./devices";
import { unsent } from "./preferences";
import { EMPTY_ROOM, reduceRoom, type Pending, type Room, type RoomAction } from "./room";
import { Store } from "./store";
import { answering } from "./words";

const LOOK_EVERY = 1500;

export class Visit {
  readonly store = new Store<Room, RoomAction>(EMPTY_ROOM, reduceRoom);
  private readonly link: Link;
  private readonly player: Player;
  private readonly bargeIn = new BargeIn();
  private readonly sound: HeldSound;
  /** The stretch that was announced; its sound comes next. */
  private announced: Speech | null = null;
  /** The server knows that it may look. */
  private seen = false;
  /** A turn that was stopped: sound of it that is still under way is not played. */
  private stopped = -1;
  private looking: ReturnType<typeof setTimeout> | undefined;
  /** What of the pending words this browser keeps. */
  private kept: readonly Pending[] = [];

  constructor(private readonly session: string, private readonly devices: Devices, private voice: boolean) {
    this.store.dispatch({ type: "unsent", pending: unsent.read(session) });
    this.store.subscribe(() => this.keepUnsent());
    this.player = new Player({
      began: (turn) => {
        this.bargeIn.brace();
        this.link.send({ kind: "played", turn, at: 0, over: false });
      },
      over: (turn, at) => {
        this.link.send({ kind: "played", turn, at, over: true });
        this.store.dispatch({ type: "silent" });
      },
    });
    this.link = new Link(session, { state: (state) => this.onLink(state), message: (message) => this.onMessage(message), sound: (sound) => this.onSound(sound) });
    this.sound = new HeldSound((time, samples) => this.link.sendMedia(soundFrame(time, samples)), () => this.link.time);
    devices.to({
      level: (level) => this.onLevel(level),
      chunk: (samples) => this.sound.chunk(samples),
      picture: (jpeg) => this.seen && this.link.sendMedia(pictureFrame(this.link.time, jpeg)),
    });
    addEventListener("pointerdown", this.touched);
    addEventListener("keydown", this.touched);
  }

  /** Seconds of the reply that have been heard: the clock of captions and face. */
  get clock(): () => number {
    return this.player.now;
  }

  say(text: string): void {
    this.interrupt();
    const id = newId();
    this.store.dispatch({ type: "said", id, text });
    this.link.send({ kind: "say", text, id });
  }

  /** Once more, what the server would not take. */
  sayAgain(pending: Pending): void {
    this.interrupt();
    this.store.dispatch({ type: "said again", pending });
    this.link.send({ kind: "say", text: pending.text, id: pending.id });
  }

  /** Back to where it was written, to be changed. */
  takeBack(pending: Pending): void {
    this.store.dispatch({ type: "taken back", pending });
    this.store.dispatch({ type: "returned", text: pending.text });
  }

  /** Silence, at once. */
  stop(): void {
    const turn = this.store.get().sounding?.turn ?? this.store.get().turns.at(-1)?.number;
    const heard = this.player.hush();
    if (turn === undefined) return;
    this.stopped = turn;
    this.store.dispatch({ type: "silent" });
    this.link.send({ kind: "stop", turn, at: heard?.at ?? 0 });
  }

  /** Silence for something else that is to be heard. The words are there to be read, so they count as said. */
  quiet(): void {
    const heard = this.player.hush();
    if (!heard) return;
    this.stopped = heard.turn;
    this.store.dispatch({ type: "silent" });
    this.link.send({ kind: "played", ...heard, over: true });
  }

  again(turn: number): void {
    this.stopped = -1;
    this.link.send({ kind: "again", turn });
  }

  endTurn(): void {
    this.link.send({ kind: "end turn" });
  }

  /** What the person allows and wants from now on. */
  allow(allowed: Omit<Begin, "kind">): void {
    this.begin(allowed);
    if (!allowed.voice) this.interrupt();
  }

  /** What is to be otherwise in this conversation from now on. Where somebody is counts at once: help there does not wait for the server. */
  async change(wish: SessionChange): Promise<void> {
    const { session } = this.store.get();
    if (session && wish.country) this.store.dispatch({ type: "session", session: { ...session, country: wish.country } });
    this.store.dispatch({ type: "session", session: await api.changeSession(this.session, wish) });
  }

  close(): void {
    removeEventListener("pointerdown", this.touched);
    removeEventListener("keydown", this.touched);
    clearTimeout(this.looking);
    this.devices.to(null);
    this.player.close();
    this.link.close();
  }

  /** `before` any sound that waits goes out. */
  private begin(allowed: Omit<Begin, "kind">, before?: () => void): void {
    this.voice = allowed.voice;
    this.store.dispatch({ type: "voice", on: allowed.voice });
    if (!this.link.send({ kind: "begin", ...allowed })) return;
    before?.();
    this.sound.allow(allowed.microphone);
    this.seen = allowed.camera;
  }

  private keepUnsent(): void {
    const { pending } = this.store.get();
    if (pending === this.kept) return;
    this.kept = pending;
    unsent.write(this.session, pending);
  }

  private onLink(state: LinkState): void {
    this.store.dispatch({ type: "link", state });
    if (state.kind !== "broken") return;
    this.sound.hold();
    this.seen = false;
    if (!this.player.noMore()) this.store.dispatch({ type: "silent" });
    api.session(this.session).catch(() => undefined); // a token that is no longer taken is only said by the API
  }

  private onMessage(message: FromServer): void {
    if (message.kind === "speech") return this.onSpeech(message);
    if (message.kind === "hush") this.hushed(message.turn);
    this.store.dispatch({ type: "server", message });
    if (message.kind === "ready") this.onReady();
  }

  /** The server only knows what it sent; how much of it was heard is known here. */
  private hushed(turn: number): void {
    this.stopped = turn;
    const heard = this.player.hush();
    if (heard) this.link.send({ kind: "stop", ...heard });
  }

  /** After every opening of the socket: say what is allowed, and again what did not arrive. What was spoken meanwhile follows. */
  private onReady(): void {
    this.begin(allowedBy(this.devices.store.get(), this.voice), () => {
      for (const { id, text, refused } of this.store.get().pending) if (!refused) this.link.send({ kind: "say", text, id });
    });
    this.lookAfter();
  }

  /** A turn whose answering began on a line that broke is finished by the server without telling this one. */
  private lookAfter(): void {
    clearTimeout(this.looking);
    const turn = answering(this.store.get());
    if (!turn || this.store.get().stories[turn.number]) return;
    this.looking = setTimeout(() => {
      api.session(this.session).then(
        ({ conversation }) => {
          const now = conversation[turn.number];
          if (now) this.store.dispatch({ type: "server", message: { kind: "turn", turn: now } });
          this.lookAfter();
        },
        () => undefined, // the socket says that the line is broken, and comes here again
      );
    }, LOOK_EVERY);
  }

  private onSpeech(speech: Speech): void {
    this.announced = null;
    if (speech.turn === this.stopped || !this.voice) return;
    this.announced = speech;
    this.store.dispatch({ type: "server", message: speech });
  }

  private onSound({ turn, piece, samples }: ReplySound): void {
    const speech = this.announced;
    if (speech?.turn !== turn || speech.piece !== piece) return;
    this.player.play(turn, speech.start, samples, speech.last);
    this.store.dispatch({ type: "blocked", blocked: this.player.blocked });
  }

  /** A voice over the reply silences it here, before the server knows. */
  private onLevel(level: number): void {
    if (!this.player.sounding) return void this.bargeIn.hear(level);
    const before = this.bargeIn.lasting;
    const spoken = this.bargeIn.hear(level);
    if (before === 0 && this.bargeIn.lasting > 0) performance.mark("heartfelt:onset");
    if (spoken) this.stop();
  }

  private interrupt(): void {
    if (this.player.sounding || this.store.get().sounding) this.stop();
  }

  private readonly touched = (): void => {
    this.player.wake();
    this.store.dispatch({ type: "blocked", blocked: false });
  };
}

/** What the devices that are on amount to. The sound of a voice is nothing without the microphone. */
export function allowedBy({ microphone, camera, tone }: DevicesState, voice: boolean): Omit<Begin, "kind"> {
  return { microphone: microphone.state === "on", tone: tone && microphone.state === "on", camera: camera.state === "on", voice };
}

/** Not `randomUUID`, which pages without https do not have. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, "0")).join("");
