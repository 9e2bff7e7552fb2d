/** How fine the picture is: as fine as the screen while frames come fast enough, then coarser by steps. */

const MOST = 2;
const LEAST = 0.6;
const SLOW = 0.042;
const FAST = 0.020;
const STEP = 0.8;
/** Seconds of slow frames after which it gets coarser, and of fast ones after which it dares to be finer again. */
const PATIENCE = 1.2;
const DARING = 8;
/** A pause longer than this tells of a hidden page and not of a slow frame. */
const PAUSE = 0.6;

export class Quality {
  ratio: number;
  private interval = 1 / 60;
  private slowFor = 0;
  private fastFor = 0;
  private ceiling: number;
  private fellFrom = 0;

  constructor(screen: number, lean: boolean, private readonly fixed: boolean) {
    this.ceiling = Math.min(screen, MOST);
    // the processor draws a fine picture too slowly from the start
    this.ratio = lean ? Math.min(this.ceiling, 1) : this.ceiling;
  }

  get fps(): number {
    return 1 / this.interval;
  }

  /** Told the seconds since the last frame; answers whether the picture has to change its size. */
  passed(seconds: number): boolean {
    if (seconds > PAUSE || seconds <= 0) return false;
    this.interval += (seconds - this.interval) * 0.12;
    if (this.fixed) return false;
    this.slowFor = this.interval > SLOW ? this.slowFor + seconds : 0;
    this.fastFor = this.interval < FAST ? this.fastFor + seconds : 0;
    if (this.slowFor > PATIENCE && this.ratio > LEAST) return this.change(this.ratio * STEP, true);
    if (this.fastFor > DARING && this.ratio < this.ceiling) return this.change(this.ratio / STEP, false);
    return false;
  }

  private change(ratio: number, coarser: boolean): boolean {
    // what was too slow twice is not tried again
    if (coarser && this.fellFrom === this.ratio) this.ceiling = ratio;
    if (coarser) this.fellFrom = this.ratio;
    this.ratio = Math.min(Math.max(ratio, LEAST), this.ceiling);
    this.slowFor = this.fastFor = 0;
    return true;
  }
}
