/** One material for each thing that is drawn of a person. */

import { DoubleSide, FrontSide, GLSL3, Matrix3, ShaderMaterial, Vector2, Vector3, Vector4, type IUniform, type Side as Seen } from "three";
import { SIDES, type AvatarFile, type Entries, type Material, type Side } from "./file";
import { CLOTH_FRAGMENT, CLOTH_VERTEX, FRAME_FRAGMENT, FRAME_VERTEX, LINING_FRAGMENT, LINING_VERTEX } from "./shaders/cloth";
import { FRAGMENT_EDGE, FRAGMENT_LIGHT, FRAGMENT_MATTE, FRAGMENT_SHOWN, lights, VERTEX_TURN } from "./shaders/common";
import { EYE_FRAGMENT, EYE_VERTEX } from "./shaders/eye";
import { HAIR_FRAGMENT, HAIR_VERTEX, LASH_FRAGMENT, LASH_VERTEX } from "./shaders/hair";
import { TEETH_FRAGMENT, TONGUE_FRAGMENT } from "./shaders/mouth";
import { FRAGMENT_SKIN, SKIN_FRAGMENT, SKIN_VERTEX } from "./shaders/skin";
import type { Textures } from "./textures";

/** How much of the cover loose hair loses where it turns away. */
const FUZZ = 0.36;

/** What the canvas offers: several samples a pixel, or only what is cheap. */
export interface Means {
  readonly samples: boolean;
  readonly lean: boolean;
}

type Uniforms = Record<string, IUniform>;

interface Recipe {
  vertex: string;
  fragment: string;
  uniforms: Uniforms;
  seen?: Seen;
  /** Ends softly, by samples of a pixel. */
  soft?: boolean;
}

/** How a person is coloured at this moment; the parts share what they have in common. */
export class Materials {
  readonly turn = { value: new Vector3() };
  readonly breath = { value: 0 };
  readonly raised = { value: new Vector4() };
  readonly inside = { upper: { value: 0 }, lower: { value: 0 }, tongue: { value: 0 } };
  readonly eyes: Record<Side, EyeUniforms>;
  private readonly entries: Entries;
  private readonly made: ShaderMaterial[] = [];

  constructor(
    private readonly file: AvatarFile,
    private readonly textures: Textures,
    private readonly means: Means,
  ) {
    this.entries = file.entries;
    this.eyes = Object.fromEntries(SIDES.map((side) => [side, eyeUniforms(this.entries, side)])) as Record<Side, EyeUniforms>;
  }

  skin(): ShaderMaterial {
    const { painted, glossy, lasting, upperCreases, lowerCreases, pores } = this.textures;
    const slopes = new Vector2(this.file.scale("relief.lasting"), this.file.scale("relief.creases"));
    const pictures = held({ painted, glossy, lasting, upperCreases, lowerCreases, pores, slopes });
    const uniforms = { ...pictures, raised: this.raised };
    return this.make({ vertex: SKIN_VERTEX, fragment: FRAGMENT_SKIN + SKIN_FRAGMENT, uniforms });
  }

  teeth(part: "upper" | "lower"): ShaderMaterial {
    const uniforms = { ...this.colour(part), inside: this.inside[part] };
    return this.make({ vertex: SKIN_VERTEX, fragment: FRAGMENT_MATTE + TEETH_FRAGMENT, uniforms, seen: DoubleSide });
  }

  tongue(): ShaderMaterial {
    const uniforms = { ...this.colour("tongue"), inside: this.inside.tongue };
    return this.make({ vertex: SKIN_VERTEX, fragment: FRAGMENT_SKIN + TONGUE_FRAGMENT, uniforms, seen: DoubleSide });
  }

  eye(side: Side): ShaderMaterial {
    const pupil = this.entries.palette.eyes[3]!;
    const uniforms = { ...this.colour("eyes"), ...held({ pupil, fibres: this.textures.fibres }), ...this.eyes[side] };
    return this.make({ vertex: EYE_VERTEX, fragment: EYE_FRAGMENT, uniforms });
  }

  hair(part: "hair" | "beard"): ShaderMaterial {
    const [, , , gloss, grey] = this.entries.palette[part];
    const fuzz = this.entries.strands === "coiled" || part === "beard" ? 0 : FUZZ;
    const uniforms = { ...this.colour(part), ...held({ gloss, grey, fuzz, strands: this.textures.strands }) };
    return this.make({ vertex: HAIR_VERTEX, fragment: FRAGMENT_EDGE + HAIR_FRAGMENT, uniforms, seen: DoubleSide, soft: true });
  }

  lashes(): ShaderMaterial {
    const material = this.make({
      vertex: LASH_VERTEX, fragment: LASH_FRAGMENT, uniforms: this.colour("lashes"), seen: DoubleSide,
    });
    material.transparent = true;
    material.depthWrite = false;
    return material;
  }

  cloth(part: "main" | "collar" | "jacket"): ShaderMaterial {
    const [, , , sheen, ribs, hem] = this.entries.palette[part];
    const uniforms = { ...this.colour(part), ...held({ sheen, ribs, hem }), breath: this.breath };
    const fragment = FRAGMENT_EDGE + FRAGMENT_MATTE + CLOTH_FRAGMENT;
    return this.make({ vertex: CLOTH_VERTEX, fragment, uniforms, seen: DoubleSide, soft: true });
  }

  /** What is seen of the clothes behind a collar: only that it is there. */
  lining(): ShaderMaterial {
    return this.make({ vertex: LINING_VERTEX, fragment: LINING_FRAGMENT, uniforms: this.colour("main") });
  }

  frame(): ShaderMaterial {
    const uniforms = { ...this.colour("frame"), ...held({ gloss: this.entries.palette.frame[3] }) };
    return this.make({ vertex: FRAME_VERTEX, fragment: FRAGMENT_MATTE + FRAME_FRAGMENT, uniforms });
  }

  dispose(): void {
    for (const material of this.made) material.dispose();
    for (const texture of Object.values(this.textures)) texture.dispose();
  }

  private colour(part: Material): Uniforms {
    const [red, green, blue] = this.entries.palette[part];
    return held({ colour: new Vector3(red, green, blue) });
  }

  private make({ vertex, fragment, uniforms, seen = FrontSide, soft = false }: Recipe): ShaderMaterial {
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX_TURN + vertex,
      fragmentShader: lights(this.entries) + FRAGMENT_SHOWN + FRAGMENT_LIGHT + fragment,
      uniforms: { ...uniforms, turn: this.turn },
      side: seen,
    });
    if (this.means.samples) material.defines["SAMPLES"] = 1;
    if (this.means.lean) material.defines["LEAN"] = 1;
    material.alphaToCoverage = soft && this.means.samples;
    this.made.push(material);
    return material;
  }
}

export interface EyeUniforms extends Uniforms {
  middle: { value: Vector3 };
  radius: { value: number };
  gaze: { value: Matrix3 };
  gazing: { value: Vector3 };
  upperLid: { value: number };
  lowerLid: { value: number };
}

function eyeUniforms({ rig }: Entries, side: Side): EyeUniforms {
  return {
    middle: { value: new Vector3(...rig.eye_middles[side]) },
    radius: { value: rig.eye_radius },
    gaze: { value: new Matrix3() },
    gazing: { value: new Vector3(0, 0, 1) },
    upperLid: { value: 0.5 },
    lowerLid: { value: -0.5 },
  };
}

function held(values: Record<string, unknown>): Uniforms {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}
