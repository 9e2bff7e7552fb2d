/** Sound on its way to the server: held until the server was told that it may take it, so that no beginning of a sentence is lost. */
import { Stamps } from "./stamps";

const LENGTH = 0.04;
/** Chunks: ten seconds. Who speaks into a line that stays broken is heard from there on. */
const MOST = 250;

export class HeldSound {
  private readonly stamps = new Stamps(LENGTH);
  private held: Int16Array[] = [];
  private open = false;

  constructor(private readonly send: (time: number, samples: Int16Array) => void, private readonly time: () => number) {}

  chunk(samples: Int16Array): void {
    if (this.open) this.send(this.stamps.next(this.time()), samples);
    else this.held = [...this.held, samples].slice(-MOST);
  }

  /** The server knows now whether it may take sound. What it may not is forgotten. */
  allow(allowed: boolean): void {
    const held = this.held;
    this.held = [];
    this.open = allowed;
    if (allowed) held.forEach((samples, index) => this.send(this.stamps.next(this.time() - LENGTH * (held.length - 1 - index)), samples));
  }

  /** The line is broken, and the clock begins again. */
  hold(): void {
    this.open = false;
    this.stamps.forget();
  }
}
