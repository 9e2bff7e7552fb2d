/** Everything of one person that is drawn: built once from a file, moved for each frame. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, Vector3, type ShaderMaterial } from "three";
import { SIDES, type AvatarFile, type Framing, type Habit, type Rig, type Side } from "./file";
import { Flesh } from "./flesh";
import { Beard, Lashes } from "./hung";
import { Materials, type Means } from "./materials";
import { at, gazes, lidsFollow, settled, type Gazes, type Pose, type Units } from "./pose";
import { texturesOf } from "./textures";
import { axisOf, matrixOf } from "./turns";

/** Beards turn wholly: none grows as low as where the neck lags behind. */
const WHOLLY = 255;

export class Person {
  readonly group = new Group();
  readonly flesh: Flesh;
  private readonly lashes: Record<Side, Lashes>;
  private readonly beard: Beard | null;
  private readonly lowerRims: Uint16Array;
  private readonly changing: BufferAttribute[] = [];
  private readonly materials: Materials;

  private constructor(private readonly file: AvatarFile, materials: Materials) {
    this.materials = materials;
    this.flesh = new Flesh(file);
    this.lashes = { Left: new Lashes(file, "Left"), Right: new Lashes(file, "Right") };
    this.lowerRims = file.indices("lids.lower");
    this.beard = file.has("beard.rows") ? new Beard(file) : null;
    this.addClothes();
    this.addFlesh();
    this.addEyes();
    this.addStiff();
    this.addLining();
    this.move({ units: {}, yaw: 0, pitch: 0, roll: 0, gaze_yaw: 0, gaze_pitch: 0 });
  }

  static async of(file: AvatarFile, means: Means): Promise<Person> {
    return new Person(file, new Materials(file, await texturesOf(file, means.lean), means));
  }

  get framing(): Framing {
    return this.file.entries.framing;
  }

  get backdrop(): readonly number[] {
    return this.file.entries.backdrop;
  }

  get habits(): Record<"idle" | "listening", Habit> {
    return this.file.entries.habits;
  }

  get seed(): number {
    return this.file.entries.seed;
  }

  move(pose: Pose): void {
    const { units: names, rig } = this.file.entries;
    const units = settled(pose, names);
    const looks = gazes(pose, units, rig.look);
    this.flesh.move(lidsFollow(units, looks, rig.look));
    for (const side of SIDES) this.lashes[side].move(this.flesh.points);
    this.beard?.move(this.flesh.points, this.flesh.normals);
    axisOf(pose.yaw, pose.pitch, pose.roll, this.materials.turn.value);
    this.aimEyes(looks, rig);
    this.lightMouth(units);
    this.raiseWrinkles(units);
    for (const attribute of this.changing) attribute.needsUpdate = true;
  }

  /** From -1, breathed out, to 1. */
  breathe(amount: number): void {
    this.materials.breath.value = amount;
  }

  dispose(): void {
    for (const child of this.group.children) if (child instanceof Mesh) child.geometry.dispose();
    this.materials.dispose();
  }

  private addFlesh(): void {
    const { flesh, file, materials } = this;
    const attributes = {
      position: this.moving(flesh.points),
      normal: this.moving(flesh.normals),
      numbers: new BufferAttribute(file.floats("flesh.numbers"), 2),
      light: this.bytes("flesh.light", 2),
      share: this.bytes("flesh.share", 1),
    };
    this.add(attributes, flesh.triangles.skin, materials.skin());
    this.add(attributes, flesh.triangles.upper, materials.teeth("upper"));
    this.add(attributes, flesh.triangles.lower, materials.teeth("lower"));
    this.add(attributes, flesh.triangles.tongue, materials.tongue());
  }

  private addEyes(): void {
    for (const side of SIDES) {
      const ball = { position: this.floats("eyes.points", 3), light: this.bytes(`eyes.light ${side}`, 2) };
      this.add(ball, this.file.indices("eyes.triangles"), this.materials.eye(side));
      const { points, numbers } = this.lashes[side];
      const veil = {
        position: this.moving(points),
        numbers: new BufferAttribute(numbers, 2),
        cover: this.floats("lashes.cover", 1),
      };
      this.add(veil, this.file.indices("lashes.triangles"), this.materials.lashes()).renderOrder = 2;
    }
  }

  private addStiff(): void {
    const { beard, materials } = this;
    if (beard) {
      const share = new Uint8Array(beard.rows.length).fill(WHOLLY);
      this.add(
        {
          position: this.moving(beard.points),
          normal: this.moving(beard.normals),
          vector: this.floats("beard.vectors", 3),
          share: new BufferAttribute(share, 1, true),
          ...this.surface("beard"),
        },
        this.file.indices("beard.triangles"),
        materials.hair("beard"),
      );
    }
    if (this.file.has("frame.points")) this.addPiece("frame", materials.frame());
    if (this.file.has("hair.points")) this.addPiece("hair", materials.hair("hair"));
  }

  private addClothes(): void {
    for (const part of ["main", "collar", "jacket"] as const) {
      if (!this.file.has(`${part}.points`)) continue;
      const solid = { position: this.floats(`${part}.points`, 3), normal: this.floats(`${part}.normals`, 3) };
      this.add({ ...solid, ...this.surface(part) }, this.file.indices(`${part}.triangles`), this.materials.cloth(part));
    }
  }

  private addLining(): void {
    const solid = { position: this.floats("lining.points", 3), normal: this.floats("lining.normals", 3) };
    this.add(solid, this.file.indices("lining.triangles"), this.materials.lining());
  }

  private addPiece(name: string, material: ShaderMaterial): void {
    const solid = {
      position: this.floats(`${name}.points`, 3),
      normal: this.floats(`${name}.normals`, 3),
      vector: this.floats(`${name}.vectors`, 3),
      share: this.bytes(`${name}.share`, 1),
    };
    this.add({ ...solid, ...this.surface(name) }, this.file.indices(`${name}.triangles`), material);
  }

  private surface(name: string): Record<string, BufferAttribute> {
    return {
      numbers: this.floats(`${name}.numbers`, 2),
      cover: this.floats(`${name}.cover`, 1),
      light: this.bytes(`${name}.light`, 2),
    };
  }

  private add(attributes: Record<string, BufferAttribute>, triangles: Uint16Array, material: ShaderMaterial): Mesh {
    const geometry = new BufferGeometry();
    for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(new BufferAttribute(triangles, 1));
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  private floats(name: string, size: number): BufferAttribute {
    return new BufferAttribute(this.file.floats(name), size);
  }

  /** Bytes that stand for 0 to 1. */
  private bytes(name: string, size: number): BufferAttribute {
    return new BufferAttribute(Uint8Array.from(this.file.whole(name)), size, true);
  }

  private moving(values: Float32Array): BufferAttribute {
    const attribute = new BufferAttribute(values, 3).setUsage(DynamicDrawUsage);
    this.changing.push(attribute);
    return attribute;
  }

  private aimEyes(looks: Gazes, rig: Rig): void {
    const head = matrixOf(this.materials.turn.value);
    for (const side of SIDES) {
      const eye = this.materials.eyes[side];
      const inward = axisOf(side === "Left" ? -rig.vergence : rig.vergence, 0, 0);
      matrixOf(axisOf(looks[side].yaw, looks[side].pitch, 0), eye.gaze.value).multiply(matrixOf(inward));
      eye.gazing.value.copy(new Vector3(0, 0, 1)).applyMatrix3(eye.gaze.value).applyMatrix3(head);
      eye.upperLid.value = this.lashes[side].height(this.flesh.points) / rig.eye_radius;
      const rim = this.lowerRims[SIDES.indexOf(side)]!;
      eye.lowerLid.value = (this.flesh.points[3 * rim + 1]! - rig.eye_middles[side][1]) / rig.eye_radius;
    }
  }

  /** More light falls into a mouth that is wider open. */
  private lightMouth(units: Units): void {
    const lips = 0.5 * (at(units, "mouthUpperUpLeft") + at(units, "mouthLowerDownLeft")) + 0.4 * at(units, "mouthSmileLeft");
    const wide = Math.min(Math.max(at(units, "jawOpen") - at(units, "mouthClose"), 0) * 2 + 0.7 * lips, 1);
    const { upper, lower, tongue } = this.materials.inside;
    upper.value = 0.22 + 0.75 * wide;
    lower.value = 0.08 + 0.62 * wide;
    tongue.value = 0.12 + 0.48 * wide + 0.3 * at(units, "tongueOut");
  }

  private raiseWrinkles(units: Units): void {
    const amounts = this.file.entries.wrinkles.map((raisers) => {
      const total = Object.entries(raisers).reduce((sum, [unit, share]) => sum + share * at(units, unit), 0);
      return Math.min(total, 1.2);
    });
    this.materials.raised.value.fromArray(amounts);
  }
}
