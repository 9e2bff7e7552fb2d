/** From the device's rate to another, stream-wise, with a windowed sinc: what is above the new rate's reach is taken out, not folded in. */

const REACH = 16;

export class Resampler {
  private readonly step: number;
  private readonly half: number;
  private readonly cutoff: number;
  private held = new Float32Array(0);
  /** Where the next sample lies in what is held. */
  private place: number;

  constructor(from: number, to: number) {
    this.step = from / to;
    this.cutoff = Math.min(1, to / from) * 0.95;
    this.half = Math.ceil(REACH * Math.max(1, this.step));
    this.place = this.half;
    this.held = new Float32Array(this.half);
  }

  push(block: Float32Array): Float32Array {
    const all = new Float32Array(this.held.length + block.length);
    all.set(this.held);
    all.set(block, this.held.length);
    const out: number[] = [];
    while (this.place + this.half < all.length) {
      out.push(this.at(all, this.place));
      this.place += this.step;
    }
    const drop = Math.max(0, Math.floor(this.place) - this.half);
    this.held = all.slice(drop);
    this.place -= drop;
    return Float32Array.from(out);
  }

  private at(all: Float32Array, place: number): number {
    const middle = Math.floor(place);
    let sum = 0;
    for (let i = middle - this.half + 1; i <= middle + this.half; i++) sum += (all[i] ?? 0) * this.weight(i - place);
    return sum;
  }

  private weight(distance: number): number {
    const x = Math.PI * distance * this.cutoff;
    const sinc = x === 0 ? 1 : Math.sin(x) / x;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (this.half + 1));
    return this.cutoff * sinc * window;
  }
}
