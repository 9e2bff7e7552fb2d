/** A bare page with an avatar on it, to look at it and to test it. `?who=` is the address of its file, `?background=` a colour,
 * «none» for the page's own (`?page=`), or left out for the studio; `?fine` for pictures. */

import { Avatar, NoGraphics, type Pose } from "..";
import { AvatarFile } from "../file";
import { Flesh } from "../flesh";
import { gazes, lidsFollow, settled } from "../pose";

const asked = new URLSearchParams(location.search);
const wall = asked.get("background");
document.body.style.background = asked.get("page") ?? "#fff";

interface Studio {
  ready: Promise<string>;
  avatar: Avatar | null;
  frames: number;
  /** Holds a pose until it is drawn. */
  pose(pose: Partial<Pose>): Promise<void>;
  /** The fine mesh of a person in a pose, before the head turns. */
  points(url: string, pose: Partial<Pose>): Promise<number[]>;
  /** Milliseconds that moving the mesh takes, the median of many. */
  pace(url: string): Promise<number>;
}

declare global {
  interface Window {
    studio: Studio;
  }
}

const REST: Pose = { units: {}, yaw: 0, pitch: 0, roll: 0, gaze_yaw: 0, gaze_pitch: 0 };

function moved(file: AvatarFile, flesh: Flesh, pose: Pose): void {
  const { units: names, rig } = file.entries;
  const units = settled(pose, names);
  flesh.move(lidsFollow(units, gazes(pose, units, rig.look), rig.look));
}

const studio: Studio = {
  ready: Promise.resolve("nobody"),
  avatar: null,
  frames: 0,
  async pose(pose) {
    this.avatar?.hold({ ...REST, ...pose });
    const until = this.frames + 2;
    while (this.frames < until) await new Promise((done) => requestAnimationFrame(done));
  },
  async points(url, pose) {
    const file = await AvatarFile.fetched(url);
    const flesh = new Flesh(file);
    moved(file, flesh, { ...REST, ...pose });
    return [...flesh.points];
  },
  async pace(url) {
    const file = await AvatarFile.fetched(url);
    const flesh = new Flesh(file);
    const times: number[] = [];
    for (let step = 0; step < 120; step++) {
      const units = Object.fromEntries(file.entries.units.map((unit, place) => [unit, Math.abs(Math.sin(step + place)) * 0.5]));
      const start = performance.now();
      moved(file, flesh, { ...REST, units, gaze_yaw: step % 9 });
      times.push(performance.now() - start);
    }
    return times.sort((one, other) => one - other)[60]!;
  },
};
window.studio = studio;

async function open(): Promise<string> {
  const canvas = document.querySelector("canvas")!;
  try {
    studio.avatar = new Avatar(canvas, {
      fine: asked.has("fine"),
      ...(wall === null ? {} : { background: wall === "none" ? null : wall }),
    });
  } catch (error) {
    if (error instanceof NoGraphics) return error.name;
    throw error;
  }
  studio.avatar.onframe = () => studio.frames++;
  const who = asked.get("who");
  if (who) await studio.avatar.load(who);
  return "ready";
}

studio.ready = open();
