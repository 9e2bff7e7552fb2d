/** What is read of a face and a voice at this moment, in words that say no more than is known. */
import type { FaceSeen } from "../wire";
import type { Sensed } from "./room";

const CLEAR = 0.6;
const TRUSTED = 0.4;
const SEEN = 0.15;

/** The label sets of the senses are nouns; a face looks like an adjective. */
const LOOKS: Readonly<Record<string, string>> = {
  joy: "glad",
  happy: "glad",
  sadness: "sad",
  anger: "angry",
  fear: "afraid",
  surprise: "surprised",
  disgust: "repelled",
  contempt: "scornful",
  neutral: "calm",
};

export function faceWords(face: FaceSeen | null): string {
  if (!face) return "not looked at yet";
  if (face.quality < SEEN) return "out of sight";
  const [top] = Object.entries(face.moment?.shares ?? {}).sort(([, a], [, b]) => b - a);
  if (!top || !face.moment) return "not read yet";
  const [label, share] = top;
  const sure = share >= CLEAR && face.moment.reliability >= TRUSTED;
  return `${LOOKS[label] ?? label}${sure ? "" : ", unsure"}`;
}

export const voiceWords = ({ speaking }: Sensed): string => (speaking ? "speaking" : "quiet");
