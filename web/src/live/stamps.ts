/** Even times for a stream of equal chunks, though they arrive unevenly. */

const ASTRAY = 0.2;

export class Stamps {
  private due: number | null = null;

  constructor(private readonly length: number) {}

  /** When the chunk that has just arrived began, on the clock that `now` is read from. */
  next(now: number): number {
    const began = Math.max(0, now - this.length);
    const at = this.due !== null && Math.abs(this.due - began) < ASTRAY ? this.due : Math.max(began, this.due ?? 0);
    this.due = at + this.length;
    return at;
  }

  /** The clock begins again. */
  forget(): void {
    this.due = null;
  }
}
