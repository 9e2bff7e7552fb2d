/** Pictures over the whole canvas, each a quad with a material of its own. */

import {
  BufferAttribute, BufferGeometry, ConstantAlphaFactor, CustomBlending, GLSL3, GreaterDepth, Mesh, OneMinusConstantAlphaFactor,
  ShaderMaterial, Vector3, ZeroFactor, OneFactor, type Texture,
} from "three";
import { LEAVING_FRAGMENT, OPAQUE_FRAGMENT, WALL_FRAGMENT, WHOLE_VERTEX } from "./shaders/backdrop";
import { FRAGMENT_SHOWN } from "./shaders/common";

export class Overlay {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(fragment: string, uniforms: ShaderMaterial["uniforms"], order: number) {
    const corners = new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]);
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3));
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: WHOLE_VERTEX, fragmentShader: FRAGMENT_SHOWN + fragment, uniforms,
    });
    material.depthWrite = false;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
  }

  get uniforms(): ShaderMaterial["uniforms"] {
    return this.mesh.material.uniforms;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** The wall of the studio. It is drawn after what hides it. */
export function wall(lean: boolean): Overlay {
  const overlay = new Overlay(WALL_FRAGMENT, { colour: { value: new Vector3() }, wide: { value: 1 } }, 1);
  if (lean) overlay.mesh.material.defines["LEAN"] = 1;
  return overlay;
}

/** Makes all samples that were drawn opaque, where the page is to shine through the rest. */
export function opaque(): Overlay {
  const overlay = new Overlay(OPAQUE_FRAGMENT, {}, 3);
  const { material } = overlay.mesh;
  material.depthFunc = GreaterDepth;
  material.transparent = true;
  material.blending = CustomBlending;
  material.blendSrc = ZeroFactor;
  material.blendDst = OneFactor;
  material.blendSrcAlpha = OneFactor;
  material.blendDstAlpha = ZeroFactor;
  return overlay;
}

/** The last picture of the one who leaves; `material.blendAlpha` is how much of it is left. */
export function leaving(): Overlay {
  const overlay = new Overlay(LEAVING_FRAGMENT, { picture: { value: null as Texture | null } }, 4);
  const { material } = overlay.mesh;
  material.depthTest = false;
  material.transparent = true;
  material.blending = CustomBlending;
  material.blendSrc = ConstantAlphaFactor;
  material.blendDst = OneMinusConstantAlphaFactor;
  return overlay;
}
