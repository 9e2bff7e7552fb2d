/** The pictures of one person on the graphics card. */

import {
  ClampToEdgeWrapping, DataTexture, LinearFilter, LinearMipmapLinearFilter, LinearMipmapNearestFilter, RedFormat, RepeatWrapping, RGBAFormat, RGFormat,
  Texture, type PixelFormat,
} from "three";
import type { AvatarFile } from "./file";
import { poresTexture } from "./pores";

export interface Textures {
  painted: Texture;
  glossy: Texture;
  lasting: Texture;
  upperCreases: Texture;
  lowerCreases: Texture;
  pores: Texture;
  strands: Texture;
  fibres: Texture;
}

/** `lean`: where the processor has to read them, the nearest of their smaller copies has to do. */
export async function texturesOf(file: AvatarFile, lean: boolean): Promise<Textures> {
  const { sizes } = file.entries;
  const [painted, glossy] = await Promise.all([file.picture("skin"), file.picture("gloss")]);
  const creases = file.whole("relief.creases");
  const fibres = bytes(file.whole("iris.fibres"), sizes.fibres, RedFormat);
  fibres.wrapS = RepeatWrapping;
  const strands = bytes(file.whole("strands"), sizes.strands, RedFormat);
  strands.wrapS = strands.wrapT = RepeatWrapping;
  strands.anisotropy = 4;
  const made = {
    painted: smooth(new Texture(painted), 4),
    glossy: smooth(new Texture(glossy)),
    lasting: sharp(bytes(columns(file.whole("relief.lasting"), 2, 0, 2), sizes.relief, RGFormat)),
    upperCreases: sharp(bytes(columns(creases, 8, 0, 4), sizes.relief, RGBAFormat)),
    lowerCreases: sharp(bytes(columns(creases, 8, 4, 8), sizes.relief, RGBAFormat)),
    pores: poresTexture(),
    strands,
    fibres,
  };
  if (lean) Object.values(made).forEach(cheaper);
  return made;
}

function cheaper(texture: Texture): void {
  texture.anisotropy = 1;
  if (texture.generateMipmaps) texture.minFilter = LinearMipmapNearestFilter;
}

/** Some columns of a table of signed bytes, moved so that 128 stands for 0. */
function columns(values: ArrayLike<number>, width: number, from: number, to: number): Uint8Array {
  const rows = values.length / width;
  const found = new Uint8Array(rows * (to - from));
  for (let row = 0, place = 0; row < rows; row++) {
    for (let column = from; column < to; column++) found[place++] = values[row * width + column]! + 128;
  }
  return found;
}

function bytes(values: ArrayLike<number>, [rows, columns]: readonly [number, number], format: PixelFormat): Texture {
  const texture = smooth(new DataTexture(Uint8Array.from(values), columns, rows, format));
  texture.unpackAlignment = 1;
  return texture;
}

/** Without smaller copies: wrinkles are soft anyhow, and would fade in a small picture. */
function sharp(texture: Texture): Texture {
  texture.generateMipmaps = false;
  texture.minFilter = LinearFilter;
  return texture;
}

function smooth<Kind extends Texture>(texture: Kind, anisotropy = 1): Kind {
  texture.anisotropy = anisotropy;
  texture.flipY = false;
  texture.generateMipmaps = true;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return texture;
}
