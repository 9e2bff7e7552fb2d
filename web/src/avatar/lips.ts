/** Closed lips: the two lips are drawn together until they touch, whatever else the face does; see `face/lips.py`. */

import type { AvatarFile } from "./file";
import { at, within, type Units } from "./pose";

const BINS = 13;

export class Lips {
  private readonly rows: Uint16Array;
  private readonly weight: Float32Array;
  private readonly place: Float32Array;
  private readonly edges: { upper: Uint16Array; lower: Uint16Array };
  private readonly bins: { upper: Uint16Array; lower: Uint16Array };
  private readonly overlap: number;
  private readonly upper = new Float32Array(BINS);
  private readonly lower = new Float32Array(BINS);
  private readonly gaps = new Float32Array(BINS);

  constructor(file: AvatarFile) {
    this.rows = file.indices("lips.rows");
    this.weight = file.floats("lips.weight");
    this.place = file.floats("lips.place");
    this.edges = { upper: file.indices("lips.upper"), lower: file.indices("lips.lower") };
    this.bins = { upper: file.indices("lips.upper bins"), lower: file.indices("lips.lower bins") };
    this.overlap = file.entries.rig.lip_overlap;
  }

  /** Draw the lips together as far as the mouth is meant to be shut. */
  close(points: Float32Array, units: Units): void {
    const shut = closed(units);
    if (shut <= 0) return;
    this.measure(points);
    for (let bin = 0; bin < BINS; bin++) this.gaps[bin] = Math.max(this.gaps[bin]! + this.overlap, 0);
    for (let row = 0; row < this.rows.length; row++) {
      const place = within(this.place[row]!, 0, BINS - 1);
      const left = Math.min(Math.floor(place), BINS - 2);
      const pull = this.gaps[left]! + (this.gaps[left + 1]! - this.gaps[left]!) * (place - left);
      points[3 * this.rows[row]! + 1]! += shut * pull * this.weight[row]!;
    }
  }

  /** How far apart the lips are from the right corner of the mouth to the left; negative where they overlap. */
  private measure(points: Float32Array): void {
    this.upper.fill(Infinity);
    this.lower.fill(-Infinity);
    const { edges, bins, upper, lower } = this;
    for (let row = 0; row < edges.upper.length; row++) {
      upper[bins.upper[row]!] = Math.min(upper[bins.upper[row]!]!, points[3 * edges.upper[row]! + 1]!);
    }
    for (let row = 0; row < edges.lower.length; row++) {
      lower[bins.lower[row]!] = Math.max(lower[bins.lower[row]!]!, points[3 * edges.lower[row]! + 1]!);
    }
    for (let bin = 0; bin < BINS; bin++) this.gaps[bin] = upper[bin]! - lower[bin]!;
    fillUnknown(this.gaps);
  }
}

/** 1 where nothing parts the lips, 0 where they are to be open. */
export function closed(units: Units): number {
  let apart = 7 * Math.max(at(units, "jawOpen") - at(units, "mouthClose"), 0);
  apart += 1.5 * at(units, "mouthFunnel") + 4 * at(units, "tongueOut");
  apart += 1.2 * (at(units, "mouthUpperUpLeft") + at(units, "mouthUpperUpRight"));
  apart += 1.2 * (at(units, "mouthLowerDownLeft") + at(units, "mouthLowerDownRight"));
  return within(1.15 - apart, 0, 1);
}

/** Places that no vertex tells of lie evenly between their neighbours. */
function fillUnknown(gaps: Float32Array): void {
  let known = -1;
  for (let bin = 0; bin < gaps.length; bin++) {
    if (!Number.isFinite(gaps[bin]!)) continue;
    for (let between = known + 1; between < bin; between++) {
      const share = known < 0 ? 1 : (between - known) / (bin - known);
      gaps[between] = (known < 0 ? 0 : gaps[known]! * (1 - share)) + gaps[bin]! * share;
    }
    known = bin;
  }
  for (let beyond = known + 1; beyond < gaps.length; beyond++) gaps[beyond] = known < 0 ? 0 : gaps[known]!;
}
