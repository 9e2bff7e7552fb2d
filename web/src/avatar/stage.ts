/** The canvas: camera, wall, the person in front of it, and the change from one person to the next. */

import { Camera, Color, FramebufferTexture, Scene, Vector2, WebGLRenderer } from "three";
import { NoGraphics } from "./errors";
import type { Framing } from "./file";
import { leaving, opaque, wall, type Overlay } from "./overlays";
import type { Person } from "./person";

/** A picture is at least so wide, against the height of the usual one: narrower canvases show more of the body instead. */
const LEAST_WIDE = 0.72;
const SWAP_SECONDS = 0.45;
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

/** A colour, the page behind (null), or the person's own studio (undefined). */
export type Background = string | null | undefined;

export class Stage {
  /** Whether a pixel has several samples. */
  readonly samples: boolean;
  /** Whether the processor has to do the graphics card's work, so that everything has to be cheap. */
  readonly lean: boolean;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new Camera();
  private readonly overlays: { wall: Overlay; opaque: Overlay; leaving: Overlay };
  private person: Person | null = null;
  private swapped = -Infinity;
  private last: FramebufferTexture | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, background: Background, fine: boolean) {
    this.lean = !fine && isSoftware();
    const context = contextOf(canvas, { antialias: !this.lean, alpha: background === null });
    this.samples = context.getParameter(context.SAMPLES) > 1;
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.setClearColor(new Color(background ?? "#000"), background === null ? 0 : 1);
    this.overlays = { wall: wall(this.lean), opaque: opaque(), leaving: leaving() };
    this.overlays.wall.mesh.visible = background === undefined;
    this.overlays.opaque.mesh.visible = background === null;
    this.overlays.leaving.mesh.visible = false;
    for (const overlay of Object.values(this.overlays)) this.scene.add(overlay.mesh);
  }

  /** From now on this person is shown; somebody who was there before fades. */
  show(person: Person, now: number): void {
    if (this.person) {
      this.keepLastPicture(now);
      this.scene.remove(this.person.group);
      this.person.dispose();
      this.swapped = now;
    }
    this.person = person;
    this.scene.add(person.group);
    const [red = 0, green = 0, blue = 0] = person.backdrop;
    this.overlays.wall.uniforms["colour"]!.value.set(red, green, blue);
    this.frame();
  }

  /** `ratio`: dots of the picture for each of the page's. */
  resize(ratio: number): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(Math.max(clientWidth, 1), Math.max(clientHeight, 1), false);
    this.frame();
  }

  render(now: number): void {
    const left = 1 - (now - this.swapped) / SWAP_SECONDS;
    this.overlays.leaving.mesh.visible = this.last !== null && left > 0;
    this.overlays.leaving.mesh.material.blendAlpha = Math.max(left, 0) ** 2 * (3 - 2 * Math.max(left, 0));
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.person?.dispose();
    this.last?.dispose();
    for (const overlay of Object.values(this.overlays)) overlay.dispose();
    this.renderer.dispose();
  }

  private keepLastPicture(now: number): void {
    const size = this.renderer.getDrawingBufferSize(new Vector2());
    this.last?.dispose();
    this.last = new FramebufferTexture(size.x, size.y);
    this.render(now);
    this.renderer.copyFramebufferToTexture(this.last);
    this.overlays.leaving.uniforms["picture"]!.value = this.last;
  }

  private frame(): void {
    const wide = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    this.overlays.wall.uniforms["wide"]!.value = wide;
    if (this.person) aim(this.camera, this.person.framing, wide);
  }
}

/** The camera stands before the middle of the usual picture; a taller one reaches further down than up. */
function aim(camera: Camera, view: Framing, wide: number): void {
  const span = Math.max(view.height, (LEAST_WIDE * view.height) / wide);
  const eyes = view.centre + (0.5 - view.eyes_at) * view.height;
  const near = view.distance - 3 * view.scale;
  const far = view.distance + 8 * view.scale;
  const scale = near / view.distance;
  const top = (eyes + view.eyes_at * span - view.centre) * scale;
  const side = (span * wide * scale) / 2;
  camera.projectionMatrix.makePerspective(-side, side, top, top - span * scale, near, far);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  camera.position.set(0, view.centre, view.eyes + view.distance);
  camera.updateMatrixWorld();
}

function contextOf(canvas: HTMLCanvasElement, options: WebGLContextAttributes): WebGL2RenderingContext {
  let context: WebGL2RenderingContext | null = null;
  try {
    context = canvas.getContext("webgl2", { powerPreference: "high-performance", ...options });
  } catch (error) {
    throw new NoGraphics(String(error));
  }
  if (!context) throw new NoGraphics("this browser has no WebGL 2, or it is turned off");
  return context;
}

/** Whether the processor has to do the graphics card's work; asked of a canvas that is thrown away. */
function isSoftware(): boolean {
  const context = contextOf(document.createElement("canvas"), {});
  const told = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}
