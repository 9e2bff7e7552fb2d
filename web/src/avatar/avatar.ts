/** A person on a canvas who listens and speaks. */

import type { Mood, Noticed } from "./attending";
import { AvatarFile } from "./file";
import { breath } from "./breath";
import { Motion } from "./motion";
import { Person } from "./person";
import type { Pose } from "./pose";
import { Quality } from "./quality";
import type { Played } from "./speech";
import { Stage, type Background } from "./stage";

export interface AvatarOptions {
  /** For people whom motion makes ill: no wandering, and smaller turns. */
  reducedMotion?: boolean;
  /** A colour, or null for the page behind; left out: the person's own studio. */
  background?: Background;
  /** As fine as can be however long it takes, for pictures. */
  fine?: boolean;
}

export interface Stats {
  fps: number;
  pose: Pose;
}

/** Frames a second are enough where the processor has to draw them. */
const SOFTWARE_FRAME = 1 / 31;

export class Avatar {
  onframe?: (stats: Stats) => void;
  private readonly stage: Stage;
  private readonly motion: Motion;
  private readonly quality: Quality;
  private readonly watching: ResizeObserver;
  private person: Person | null = null;
  private wish = 0;
  private held: Pose | null = null;
  private next = 0;
  private last = 0;
  private disposed = false;

  /** Throws `NoGraphics` where the browser cannot draw. */
  constructor(canvas: HTMLCanvasElement, options: AvatarOptions = {}) {
    this.stage = new Stage(canvas, options.background, options.fine ?? false);
    this.motion = new Motion(options.reducedMotion ?? false);
    this.quality = new Quality(window.devicePixelRatio, this.stage.lean, options.fine ?? false);
    this.watching = new ResizeObserver(() => this.resize());
    this.watching.observe(canvas);
    document.addEventListener("visibilitychange", this.wake);
    this.resize();
  }

  /** Shows this person; somebody who was there before fades. The last wish counts. */
  async load(url: string): Promise<void> {
    const wish = ++this.wish;
    const file = await AvatarFile.fetched(url);
    const person = await Person.of(file, this.stage);
    if (this.disposed || wish !== this.wish) return person.dispose();
    this.motion.become(person.habits, person.seed);
    person.move(this.held ?? this.motion.pose(seconds()));
    this.stage.show(person, seconds());
    this.person = person;
    this.wake();
  }

  attend(mood: Mood): void {
    this.motion.attend(mood);
  }

  /** Something was noticed of the other person: a small, kind reaction. */
  notice(kind: Noticed): void {
    this.motion.notice(kind, seconds());
  }

  /** Somebody may be in danger: serious and attentive, and no smile, whether it listens or speaks. */
  grave(on: boolean): void {
    this.motion.grave(on);
  }

  /** Appends a stretch of a reply. */
  speak(timeline: Played): void {
    this.motion.speak(timeline);
  }

  /** Tells which second of the reply's sound is heard now; null: nothing is heard. */
  clock(now: (() => number) | null): void {
    this.motion.clock(now);
  }

  /** Stops speaking at once. */
  hush(): void {
    this.motion.hush();
  }

  /** Holds one pose, for pictures and tests; null: lives again. */
  hold(pose: Pose | null): void {
    this.held = pose;
  }

  resize(): void {
    if (this.disposed) return;
    this.stage.resize(this.quality.ratio);
    if (this.person) this.stage.render(seconds());
  }

  dispose(): void {
    this.disposed = true;
    cancelAnimationFrame(this.next);
    document.removeEventListener("visibilitychange", this.wake);
    this.watching.disconnect();
    this.stage.dispose();
  }

  /** Frames come only while somebody can see them. */
  private readonly wake = (): void => {
    cancelAnimationFrame(this.next);
    if (!this.disposed && this.person && !document.hidden) this.next = requestAnimationFrame(this.frame);
  };

  private readonly frame = (): void => {
    this.next = requestAnimationFrame(this.frame);
    const now = seconds();
    if (!this.person || (this.stage.lean && now - this.last < SOFTWARE_FRAME)) return;
    if (this.quality.passed(now - this.last)) this.stage.resize(this.quality.ratio);
    this.last = now;
    const pose = this.held ?? this.motion.pose(now);
    this.person.move(pose);
    this.person.breathe(this.held ? 0 : breath(now));
    this.stage.render(now);
    this.onframe?.({ fps: this.quality.fps, pose });
  };
}

function seconds(): number {
  return performance.now() / 1000;
}
