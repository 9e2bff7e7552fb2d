/** Plays the reply's pieces edge to edge, and is the one clock that captions and face go by. */
import { SOUND_OUT } from "../wire";

export interface PlayerEvents {
  /** The first sound of a reply is heard. */
  began(turn: number): void;
  /** The last sound of a reply was heard. */
  over(turn: number, seconds: number): void;
}

const AHEAD = 0.06;
const FADE = 0.03;

/** From the context's time to the ear; not every browser tells. */
const latencyOf = (context: AudioContext): number => context.outputLatency || context.baseLatency || 0;

export class Player {
  private context: AudioContext | null = null;
  private gain: GainNode | null = null;
  private sources: AudioBufferSourceNode[] = [];
  private turn: number | null = null;
  /** The context's time at which the reply's second 0 sounds. */
  private zero = 0;
  /** Seconds of the reply that are scheduled so far. */
  private until = 0;
  private beginning: ReturnType<typeof setTimeout> | undefined;
  private ending: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly events: PlayerEvents) {}

  /** Browsers let a page make sound only after it was touched. */
  wake(): void {
    void this.audio().resume();
  }

  get blocked(): boolean {
    return this.context?.state === "suspended";
  }

  get sounding(): boolean {
    return this.turn !== null;
  }

  /** Seconds of the reply that have been heard. It stands still where sound is late, and never runs ahead of it. */
  readonly now = (): number => {
    if (!this.context || this.turn === null) return 0;
    const heard = this.context.currentTime - this.zero - latencyOf(this.context);
    return Math.max(0, Math.min(heard, this.until));
  };

  play(turn: number, start: number, samples: Float32Array<ArrayBuffer>, last: boolean): void {
    const context = this.audio();
    if (this.turn !== turn) this.begin(turn, start);
    const earliest = context.currentTime + 0.01;
    if (this.zero + start < earliest) this.zero = earliest + 0.02 - start;
    this.schedule(context, samples, this.zero + start);
    this.until = start + samples.length / SOUND_OUT;
    if (last) this.endAt(turn);
  }

  /** The rest of the reply will not come: it ends with what is here. Whether anything sounds. */
  noMore(): boolean {
    if (this.turn !== null) this.endAt(this.turn);
    return this.turn !== null;
  }

  /** Silent within 30 ms. How much of the reply was heard, in seconds. */
  hush(): { turn: number; at: number } | null {
    if (this.turn === null || !this.context || !this.gain) return null;
    const heard = { turn: this.turn, at: this.now() };
    const now = this.context.currentTime;
    this.gain.gain.setValueAtTime(1, now);
    this.gain.gain.linearRampToValueAtTime(0, now + FADE);
    for (const source of this.sources) source.stop(now + FADE + 0.005);
    performance.mark("heartfelt:stop");
    this.end();
    return heard;
  }

  close(): void {
    this.hush();
    void this.context?.close();
    this.context = null;
  }

  private audio(): AudioContext {
    this.context ??= new AudioContext({ sampleRate: SOUND_OUT, latencyHint: "interactive" });
    return this.context;
  }

  private begin(turn: number, start: number): void {
    const context = this.audio();
    this.end();
    this.turn = turn;
    this.zero = context.currentTime + AHEAD - start;
    this.gain = context.createGain();
    this.gain.connect(context.destination);
    this.beginning = setTimeout(() => this.events.began(turn), (AHEAD + latencyOf(context)) * 1000);
  }

  private schedule(context: AudioContext, samples: Float32Array<ArrayBuffer>, at: number): void {
    if (!samples.length || !this.gain) return;
    const buffer = context.createBuffer(1, samples.length, SOUND_OUT);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.gain);
    source.start(at);
    this.sources.push(source);
  }

  /** Asked again and again, because a context that is not allowed to sound yet stands still. */
  private endAt(turn: number): void {
    clearTimeout(this.ending);
    this.ending = setTimeout(() => {
      if (this.turn !== turn) return;
      if (this.now() < this.until - 0.02) return this.endAt(turn);
      const seconds = this.until;
      this.end();
      this.events.over(turn, seconds);
    }, Math.max(30, (this.until - this.now()) * 1000));
  }

  private end(): void {
    clearTimeout(this.beginning);
    clearTimeout(this.ending);
    this.sources = [];
    this.turn = null;
    this.until = 0;
  }
}
