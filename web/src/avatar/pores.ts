/** The grain of skin close by: a small picture of slopes that repeats itself, the same for everybody. */

import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGFormat, type Texture } from "three";
import { draw } from "./chance";

const SIZE = 128;
const CELLS = 18;
const REACH = 4;

export function poresTexture(): Texture {
  const texture = new DataTexture(slopes(heights()), SIZE, SIZE, RGFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 2;
  texture.needsUpdate = true;
  return texture;
}

/** Pits on a grid, each a little off its place and of its own depth and width. */
function heights(): Float32Array {
  const height = new Float32Array(SIZE * SIZE);
  for (let cell = 0; cell < CELLS * CELLS; cell++) {
    const x = ((cell % CELLS) + draw("x", cell)) * (SIZE / CELLS);
    const y = (Math.floor(cell / CELLS) + draw("y", cell)) * (SIZE / CELLS);
    const depth = 0.35 + 0.65 * draw("depth", cell);
    const wide = 1.1 + 1.2 * draw("wide", cell);
    for (let row = Math.floor(y) - REACH; row <= y + REACH; row++) {
      for (let column = Math.floor(x) - REACH; column <= x + REACH; column++) {
        const away = ((column - x) ** 2 + (row - y) ** 2) / wide ** 2;
        height[wrapped(row) * SIZE + wrapped(column)]! -= depth * Math.exp(-away);
      }
    }
  }
  return height;
}

/** How the height rises along both sides, as bytes round 128. */
function slopes(height: Float32Array): Uint8Array {
  const found = new Uint8Array(2 * SIZE * SIZE);
  const at = (row: number, column: number) => height[wrapped(row) * SIZE + wrapped(column)]!;
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const place = 2 * (row * SIZE + column);
      found[place] = 128 + 127 * Math.max(-1, Math.min(1, at(row, column + 1) - at(row, column - 1)));
      found[place + 1] = 128 + 127 * Math.max(-1, Math.min(1, at(row + 1, column) - at(row - 1, column)));
    }
  }
  return found;
}

function wrapped(place: number): number {
  return (place + SIZE) % SIZE;
}
