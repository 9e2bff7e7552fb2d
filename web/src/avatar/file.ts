/** Reads an avatar's file. Its form is told in `src/heartfelt/expression/browser/layout.py`, which writes it. */

import { BadAvatar } from "./errors";

const MAGIC = 0x56414648; // «HFAV», little-endian
const FORM = 1;

export type Side = "Left" | "Right";
export const SIDES: readonly Side[] = ["Left", "Right"];
export type Triple = [number, number, number];

export interface Dynamics {
  meets: number;
  away_yaw: number;
  away_pitch: number;
  blinks: number;
  liveliness: number;
  nods: number;
}

/** What somebody does without words: an expression that is held, and how it lives. */
export interface Habit {
  units: Record<string, number>;
  yaw: number;
  pitch: number;
  roll: number;
  dynamics: Dynamics;
}

export interface Rig {
  eye_middles: Record<Side, Triple>;
  eye_radius: number;
  lid_clearance: number;
  vergence: number;
  look: number;
  lip_overlap: number;
  tongue_sinks: Triple;
}

export interface Framing {
  height: number;
  centre: number;
  distance: number;
  eyes: number;
  eyes_at: number;
  scale: number;
}

export type LightName = "key" | "fill" | "rim" | "rim_two" | "ambient_high" | "ambient_low";
export type Material =
  | "skin" | "eyes" | "upper" | "lower" | "tongue" | "hair" | "beard" | "lashes" | "frame" | "main" | "collar" | "jacket";

/** The entries of the header that are the person's own. */
export interface Entries {
  version: number;
  name: string;
  seed: number;
  strands: "straight" | "wavy" | "coiled";
  units: string[];
  moving: number;
  turning: number;
  rig: Rig;
  framing: Framing;
  palette: Record<Material, number[]>;
  backdrop: Triple;
  lights: Record<LightName, number[]>;
  wrinkles: Record<string, number>[];
  habits: Record<"idle" | "listening", Habit>;
  sizes: Record<"relief" | "strands" | "fibres", [number, number]>;
}

interface ArrayPlace {
  kind: "i8" | "u8" | "i16" | "u16";
  shape: [number, number];
  at: number;
  scale?: number;
}

interface Header extends Entries {
  arrays: Record<string, ArrayPlace>;
  pictures: Record<string, { at: number; bytes: number }>;
}

export type Whole = Int8Array | Uint8Array | Int16Array | Uint16Array;

/** An open file: arrays are decoded when they are asked for. */
export class AvatarFile {
  private constructor(
    private readonly header: Header,
    private readonly body: Uint8Array<ArrayBuffer>,
  ) {}

  static async fetched(url: string): Promise<AvatarFile> {
    const response = await fetch(url);
    if (!response.ok) throw new BadAvatar(`${url} answered ${response.status}.`);
    return AvatarFile.read(new Uint8Array(await response.arrayBuffer()));
  }

  static async read(bytes: Uint8Array<ArrayBuffer>): Promise<AvatarFile> {
    const plain = isGzip(bytes) ? await inflated(bytes) : bytes;
    const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
    if (plain.length < 12 || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== FORM) {
      throw new BadAvatar(`This is no avatar's file of form ${FORM}.`);
    }
    const start = 12 + view.getUint32(8, true);
    const header = JSON.parse(new TextDecoder().decode(plain.subarray(12, start))) as Header;
    return new AvatarFile(header, plain.subarray(start));
  }

  get entries(): Entries {
    return this.header;
  }

  has(name: string): boolean {
    return name in this.header.arrays;
  }

  /** An array of indices or counts, row by row. */
  whole(name: string): Whole {
    return decoded(this.body, this.place(name));
  }

  /** An array of indices, as three.js wants it. */
  indices(name: string): Uint16Array {
    const values = this.whole(name);
    return values instanceof Uint16Array ? values : Uint16Array.from(values);
  }

  /** An array as the fractions that are meant. */
  floats(name: string): Float32Array {
    const { scale = 1 } = this.place(name);
    return Float32Array.from(this.whole(name), (value) => value * scale);
  }

  scale(name: string): number {
    return this.place(name).scale ?? 1;
  }

  picture(name: string): Promise<ImageBitmap> {
    const place = this.header.pictures[name];
    if (!place) throw new BadAvatar(`The avatar's file has no picture «${name}».`);
    const blob = new Blob([this.body.slice(place.at, place.at + place.bytes)], { type: "image/webp" });
    return createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  }

  private place(name: string): ArrayPlace {
    const place = this.header.arrays[name];
    if (!place) throw new BadAvatar(`The avatar's file has no array «${name}».`);
    return place;
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function decoded(body: Uint8Array, place: ArrayPlace): Whole {
  const [rows, columns] = place.shape;
  const count = rows * columns;
  const low = body.subarray(place.at, place.at + count);
  const high = body.subarray(place.at + count, place.at + 2 * count);
  const values = emptied(place.kind, count);
  const wide = values.BYTES_PER_ELEMENT === 2;
  for (let column = 0, at = 0; column < columns; column++) {
    for (let row = 0, sum = 0; row < rows; row++, at++) {
      sum += wide ? low[at]! | (high[at]! << 8) : low[at]!;
      values[row * columns + column] = sum; // typed arrays wrap round by themselves
    }
  }
  return values;
}

function emptied(kind: ArrayPlace["kind"], count: number): Whole {
  switch (kind) {
    case "i8": return new Int8Array(count);
    case "u8": return new Uint8Array(count);
    case "i16": return new Int16Array(count);
    case "u16": return new Uint16Array(count);
  }
}
