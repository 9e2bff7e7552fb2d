/** Skin, teeth and tongue in motion: units on the coarse points, the fine mesh of them, lids kept off the eyes, normals. */

import { SIDES, type AvatarFile, type Side, type Triple } from "./file";
import { Lips } from "./lips";
import { at, type Units } from "./pose";

export const FLESH_PARTS = ["skin", "upper", "lower", "tongue"] as const;
export type FleshPart = (typeof FLESH_PARTS)[number];

/** The moving mesh before the head turns, in places from the pivot. The first `turning` vertices change. */
export class Flesh {
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly triangles: Record<FleshPart, Uint16Array>;
  readonly turning: number;
  private readonly moving: number;
  private readonly rest: Float32Array;
  private readonly coarse: Float32Array;
  private readonly table: Table;
  private readonly units: UnitShifts;
  private readonly lips: Lips;
  private readonly tongue: Uint16Array;
  private readonly sinks: Triple;
  private readonly balls: Ball[];
  private readonly changing: Uint16Array;
  private readonly resting: Float32Array;

  constructor(file: AvatarFile) {
    const { moving, turning, rig } = file.entries;
    this.moving = moving;
    this.turning = turning;
    this.rest = file.floats("coarse.rest");
    this.coarse = this.rest.slice();
    this.table = new Table(file);
    this.units = new UnitShifts(file);
    this.lips = new Lips(file);
    this.tongue = file.indices("flesh.tongue rows");
    this.sinks = rig.tongue_sinks;
    this.balls = SIDES.map((side) => ballOf(file, side));
    this.triangles = {
      skin: file.indices("flesh.skin"),
      upper: file.indices("flesh.upper"),
      lower: file.indices("flesh.lower"),
      tongue: file.indices("flesh.tongue"),
    };
    this.points = new Float32Array(3 * this.table.count);
    this.normals = new Float32Array(3 * this.table.count);
    this.table.apply(this.coarse, this.points, this.table.count);
    const every = joined([...FLESH_PARTS.map((part) => this.triangles[part]), file.indices("flesh.beyond")]);
    this.changing = every.filter((_, place) => touches(every, place - (place % 3), moving));
    // what stiff triangles give to the normals of the vertices at their border never changes
    addNormals(this.points, every.filter((_, place) => !touches(every, place - (place % 3), moving)), this.normals);
    this.resting = this.normals.slice(0, 3 * turning);
    addNormals(this.points, this.changing, this.normals);
    toUnit(this.normals, this.table.count);
  }

  /** `units` are those after all rules, with lids that follow the gaze. */
  move(units: Units): void {
    this.coarse.set(this.rest);
    this.units.add(this.coarse, units);
    this.lips.close(this.coarse, units);
    this.sinkTongue(at(units, "jawOpen") * Math.max(1 - 3 * at(units, "tongueOut"), 0));
    this.table.apply(this.coarse, this.points, this.moving);
    for (const ball of this.balls) keepOff(this.points, ball);
    this.normals.set(this.resting);
    addNormals(this.points, this.changing, this.normals);
    toUnit(this.normals, this.turning);
  }

  private sinkTongue(amount: number): void {
    const [x, y, z] = this.sinks;
    for (const row of this.tongue) {
      this.coarse[3 * row]! += amount * x;
      this.coarse[3 * row + 1]! += amount * y;
      this.coarse[3 * row + 2]! += amount * z;
    }
  }
}

interface Ball {
  rows: Uint16Array;
  middle: Triple;
  radius: number;
}

function ballOf(file: AvatarFile, side: Side): Ball {
  const { eye_middles, eye_radius, lid_clearance } = file.entries.rig;
  return { rows: file.indices(`lids.${side}`), middle: eye_middles[side], radius: lid_clearance * eye_radius };
}

/** Each fine vertex as the weighted mean of a few coarse ones. */
class Table {
  readonly count: number;
  private readonly starts: Uint32Array;
  private readonly index: Uint16Array;
  private readonly weight: Float32Array;

  constructor(file: AvatarFile) {
    const counts = file.whole("table.count");
    const weights = file.floats("table.weights");
    this.count = counts.length;
    this.starts = new Uint32Array(counts.length + 1);
    for (let row = 0; row < counts.length; row++) this.starts[row + 1] = this.starts[row]! + counts[row]!;
    this.index = file.indices("table.index").map((row) => 3 * row);
    this.weight = Float32Array.from(file.whole("table.code"), (code) => weights[code]!);
  }

  apply(values: Float32Array, out: Float32Array, rows: number): void {
    const { starts, index, weight } = this;
    for (let row = 0, place = 0; row < rows; row++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (const end = starts[row + 1]!; place < end; place++) {
        const from = index[place]!;
        const share = weight[place]!;
        x += share * values[from]!;
        y += share * values[from + 1]!;
        z += share * values[from + 2]!;
      }
      out[3 * row] = x;
      out[3 * row + 1] = y;
      out[3 * row + 2] = z;
    }
  }
}

/** How each unit moves the coarse points. */
class UnitShifts {
  private readonly names: readonly string[];
  private readonly starts: number[] = [0];
  private readonly index: Uint16Array;
  private readonly delta: Float32Array;

  constructor(file: AvatarFile) {
    this.names = file.entries.units;
    for (const count of file.whole("units.count")) this.starts.push(this.starts.at(-1)! + count);
    this.index = file.indices("units.index");
    this.delta = file.floats("units.delta");
  }

  add(points: Float32Array, units: Units): void {
    const { index, delta } = this;
    for (let unit = 0; unit < this.names.length; unit++) {
      const amount = at(units, this.names[unit]!);
      if (amount === 0) continue;
      for (let place = this.starts[unit]!, end = this.starts[unit + 1]!; place < end; place++) {
        const to = 3 * index[place]!;
        points[to]! += amount * delta[3 * place]!;
        points[to + 1]! += amount * delta[3 * place + 1]!;
        points[to + 2]! += amount * delta[3 * place + 2]!;
      }
    }
  }
}

/** Push those of the rows that went into a ball out to its surface. */
function keepOff(points: Float32Array, ball: Ball): void {
  const [mx, my, mz] = ball.middle;
  for (const row of ball.rows) {
    const x = points[3 * row]! - mx;
    const y = points[3 * row + 1]! - my;
    const z = points[3 * row + 2]! - mz;
    const distance = Math.sqrt(x * x + y * y + z * z) + 1e-9;
    if (distance >= ball.radius) continue;
    const scale = ball.radius / distance;
    points[3 * row] = mx + x * scale;
    points[3 * row + 1] = my + y * scale;
    points[3 * row + 2] = mz + z * scale;
  }
}

/** Add the normals of triangles, by area, to those of their corners. */
function addNormals(points: Float32Array, triangles: Uint16Array, out: Float32Array): void {
  for (let place = 0; place < triangles.length; place += 3) {
    const a = 3 * triangles[place]!;
    const b = 3 * triangles[place + 1]!;
    const c = 3 * triangles[place + 2]!;
    const ax = points[a]!;
    const ay = points[a + 1]!;
    const az = points[a + 2]!;
    const ux = points[b]! - ax;
    const uy = points[b + 1]! - ay;
    const uz = points[b + 2]! - az;
    const vx = points[c]! - ax;
    const vy = points[c + 1]! - ay;
    const vz = points[c + 2]! - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    out[a]! += nx;
    out[a + 1]! += ny;
    out[a + 2]! += nz;
    out[b]! += nx;
    out[b + 1]! += ny;
    out[b + 2]! += nz;
    out[c]! += nx;
    out[c + 1]! += ny;
    out[c + 2]! += nz;
  }
}

function toUnit(vectors: Float32Array, rows: number): void {
  for (let place = 0; place < 3 * rows; place += 3) {
    const x = vectors[place]!;
    const y = vectors[place + 1]!;
    const z = vectors[place + 2]!;
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) + 1e-12);
    vectors[place] = x * scale;
    vectors[place + 1] = y * scale;
    vectors[place + 2] = z * scale;
  }
}

function touches(triangles: Uint16Array, start: number, below: number): boolean {
  return triangles[start]! < below || triangles[start + 1]! < below || triangles[start + 2]! < below;
}

function joined(parts: Uint16Array[]): Uint16Array {
  const whole = new Uint16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
