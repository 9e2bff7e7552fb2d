/** What hangs on the moving skin: lashes on the rims of the lids, and beards. See `face/lashes.py` and `face/beard.py`. */

import type { AvatarFile, Side, Triple } from "./file";

const STEPS = [0.35, 0.7, 1.0];
const ROWS = 1 + STEPS.length;

/** A veil on the rim of an upper lid, in rows from the rim to the tips. */
export class Lashes {
  readonly points: Float32Array;
  readonly numbers: Float32Array;
  private readonly line: Uint16Array;
  private readonly place: Float32Array;
  private readonly length: Float32Array;
  private readonly middle: Triple;
  private readonly outward: number;

  constructor(file: AvatarFile, side: Side) {
    this.line = file.indices(`lashes.line ${side}`);
    this.place = file.floats(`lashes.place ${side}`);
    this.length = file.floats(`lashes.length ${side}`);
    this.middle = file.entries.rig.eye_middles[side];
    this.outward = side === "Left" ? 1 : -1;
    const count = this.place.length;
    this.points = new Float32Array(3 * ROWS * count);
    this.numbers = new Float32Array(2 * ROWS * count);
    for (let row = 0; row < ROWS; row++) {
      for (let at = 0; at < count; at++) {
        this.numbers[2 * (row * count + at)] = at / (count - 1);
        this.numbers[2 * (row * count + at) + 1] = row === 0 ? 0 : STEPS[row - 1]!;
      }
    }
  }

  /** How high the middle of the lid stands above the middle of the eye. */
  height(skin: Float32Array): number {
    return skin[3 * this.line[this.line.length >> 1]! + 1]! - this.middle[1];
  }

  move(skin: Float32Array): void {
    const count = this.place.length;
    for (let at = 0; at < count; at++) {
      const [x, y, z] = this.root(skin, at);
      const ax = x - this.middle[0];
      const ay = y - this.middle[1];
      const az = z - this.middle[2];
      const scale = 1 / (Math.hypot(ax, ay, az) + 1e-9);
      this.put(at, x - 0.004 * ax * scale, y - 0.004 * ay * scale, z - 0.004 * az * scale);
      const fan = this.outward * (this.place[at]! / this.line.length - 0.35);
      for (let row = 1; row < ROWS; row++) {
        const step = STEPS[row - 1]!;
        const long = this.length[at]!;
        const out = 0.7 * step * long * scale;
        const up = long * (0.75 * step * step - 0.08);
        this.put(row * count + at, x + out * ax + 0.5 * step * long * fan, y + out * ay + up, z + out * az);
      }
    }
  }

  private root(skin: Float32Array, at: number): Triple {
    const left = Math.floor(this.place[at]!);
    const share = this.place[at]! - left;
    const from = 3 * this.line[left]!;
    const to = 3 * this.line[left + 1]!;
    const between = (axis: number) => skin[from + axis]! * (1 - share) + skin[to + axis]! * share;
    return [between(0), between(1), between(2)];
  }

  private put(row: number, x: number, y: number, z: number): void {
    this.points[3 * row] = x;
    this.points[3 * row + 1] = y;
    this.points[3 * row + 2] = z;
  }
}

/** Layers of hair that stand above the skin by a height for each vertex. */
export class Beard {
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly rows: Uint16Array;
  private readonly heights: Float32Array;

  constructor(file: AvatarFile) {
    this.rows = file.indices("beard.rows");
    this.heights = file.floats("beard.heights");
    this.points = new Float32Array(3 * this.rows.length);
    this.normals = new Float32Array(3 * this.rows.length);
  }

  move(skin: Float32Array, normals: Float32Array): void {
    for (let row = 0; row < this.rows.length; row++) {
      const from = 3 * this.rows[row]!;
      for (let axis = 0; axis < 3; axis++) {
        this.normals[3 * row + axis] = normals[from + axis]!;
        this.points[3 * row + axis] = skin[from + axis]! + this.heights[row]! * normals[from + axis]!;
      }
    }
  }
}
