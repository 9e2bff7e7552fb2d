/** The live socket: it opens, speaks, and opens again by itself when it breaks. */
import type { FromClient, FromServer } from "../wire";
import { replySound, type ReplySound } from "./frames";

export type LinkState =
  | { readonly kind: "opening" }
  | { readonly kind: "open" }
  /** Broken; tried again at `at` (milliseconds of `Date.now`). */
  | { readonly kind: "broken"; readonly at: number; readonly tries: number }
  /** The server says that there is no such session. */
  | { readonly kind: "gone" };

export interface LinkEvents {
  state(state: LinkState): void;
  message(message: FromServer): void;
  sound(sound: ReplySound): void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const PING_EVERY = 10_000;
const SILENT_FOR = 25_000;
/** Codes with which a server refuses for good: there is no such session, or it belongs to somebody else. */
const REFUSED = new Set([1008, 4401, 4403, 4404]);
/** Sound and pictures that pile up beyond this are left out: late ones are worth nothing. */
const PILED_UP = 1_000_000;

export class Link {
  private socket: WebSocket | null = null;
  private tries = 0;
  private opened = 0;
  private heard = 0;
  private again: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly session: string, private readonly events: LinkEvents) {
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.open();
  }

  /** Seconds since the socket was opened: the time that all media are stamped with. */
  get time(): number {
    return (performance.now() - this.opened) / 1000;
  }

  /** Whether it went out. What does not is the caller's to keep. */
  send(message: FromClient): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  sendMedia(frame: ArrayBuffer): void {
    if (this.socket?.readyState === WebSocket.OPEN && this.socket.bufferedAmount < PILED_UP) this.socket.send(frame);
  }

  close(): void {
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.again);
    this.drop();
  }

  private open(): void {
    this.events.state({ kind: "opening" });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/sessions/${this.session}/live`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.onOpen();
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.onMessage(event.data);
    socket.onclose = (event) => this.onClose(socket, event.code);
    this.socket = socket;
  }

  private onOpen(): void {
    this.opened = this.heard = performance.now();
    this.events.state({ kind: "open" });
    this.pinging = setInterval(() => this.ping(), PING_EVERY);
  }

  private onMessage(data: string | ArrayBuffer): void {
    this.heard = performance.now();
    if (typeof data !== "string") {
      const sound = replySound(data);
      if (sound) this.events.sound(sound);
      return;
    }
    const message = JSON.parse(data) as FromServer;
    if (message.kind === "ready") this.tries = 0;
    this.events.message(message);
  }

  private onClose(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    this.drop();
    if (REFUSED.has(code)) return this.events.state({ kind: "gone" });
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries) * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.events.state({ kind: "broken", at: Date.now() + wait, tries: this.tries });
    this.again = setTimeout(() => this.open(), wait);
  }

  /** A laptop that was closed has a socket that looks open and is not. */
  private ping(): void {
    if (performance.now() - this.heard > SILENT_FOR) this.socket?.close();
    else this.send({ kind: "ping", sent: performance.now() });
  }

  private readonly wake = (): void => {
    if (this.socket !== null || document.visibilityState === "hidden") return;
    clearTimeout(this.again);
    this.open();
  };

  private drop(): void {
    clearInterval(this.pinging);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
