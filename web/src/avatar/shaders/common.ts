/** What all shaders share: the studio's lights, the turn of the head, and how light becomes what screens show. */

import type { Entries, LightName } from "../file";

/** The lights as constants, so that the compiler can fold them in. */
export function lights(entries: Entries): string {
  const vector = (values: readonly number[]) => `vec3(${values.map((value) => value.toFixed(6)).join(", ")})`;
  const both = (name: LightName, constant: string) => {
    const values = entries.lights[name];
    return `const vec3 ${constant} = ${vector(values.slice(0, 3))};\nconst vec3 ${constant}_LIGHT = ${vector(values.slice(3))};\n`;
  };
  const plain = (name: LightName, constant: string) => `const vec3 ${constant} = ${vector(entries.lights[name])};\n`;
  return (
    both("key", "KEY") + both("fill", "FILL") + both("rim", "RIM") + both("rim_two", "RIM_TWO") +
    plain("ambient_high", "HIGH") + plain("ambient_low", "LOW")
  );
}

export const VERTEX_TURN = /* glsl */ `
uniform vec3 turn;
in float share;

// Rodrigues' turn about an axis by its length, by a share of it: the skull goes wholly, the neck in part.
struct Swing { vec3 axis; float c; float s; };

Swing swing(float part) {
  float angle = length(turn);
  return Swing(turn / max(angle, 1e-6), cos(angle * part), sin(angle * part));
}

vec3 turned(vec3 place, Swing by) {
  return place * by.c + cross(by.axis, place) * by.s + by.axis * (dot(by.axis, place) * (1.0 - by.c));
}
`;

export const FRAGMENT_SHOWN = /* glsl */ `
// Straight in the middle, with a soft shoulder for the highlights; then as screens want it.
vec3 shown(vec3 light) {
  light = max(light, 0.0);
  vec3 bent = mix(light, 0.62 + 0.38 * (1.0 - exp((0.62 - light) / 0.38)), step(0.62, light));
#ifdef LEAN
  // within three steps of 255 of the same curve, from roots alone
  vec3 root = sqrt(bent), fourth = sqrt(root);
  return 0.79366 * root + 0.53163 * fourth - 0.25989 * sqrt(fourth) - 0.06734 * bent;
#else
  return mix(12.92 * bent, 1.055 * pow(max(bent, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, bent));
#endif
}
`;

export const FRAGMENT_LIGHT = /* glsl */ `
float wrapped(float cosine, float wrap) {
  return max((cosine + wrap) / (1.0 + wrap), 0.0);
}

float power8(float base) { base *= base; base *= base; return base * base; }
float power16(float base) { base = power8(base); return base * base; }

vec3 rims(vec3 n) {
  return RIM_LIGHT * max(dot(n, RIM), 0.0) + RIM_TWO_LIGHT * max(dot(n, RIM_TWO), 0.0);
}

vec3 sky(float up) { return mix(LOW, HIGH, 0.5 + 0.5 * up); }
`;

/** Cloth, plastic, teeth: plain light with a sheen at the edges and some gloss. */
export const FRAGMENT_MATTE = /* glsl */ `
vec3 matte(vec3 n, vec3 colour, float ao, float key, float sheen, float gloss) {
  vec3 light = KEY_LIGHT * wrapped(dot(n, KEY), 0.15) * key + FILL_LIGHT * wrapped(dot(n, FILL), 0.25) * ao;
  float edge = 1.0 - max(n.z, 0.0);
  light += (rims(n) + sky(n.y) + edge * edge * sheen) * ao;
  float half_ = max(dot(n, normalize(KEY + vec3(0.0, 0.0, 1.0))), 0.0);
  half_ = power16(half_);
  return colour * light + gloss * half_ * half_ * half_ * half_ * key;
}
`;

/** How much of an edge is covered: by more samples where there are several a pixel, all or nothing where there is one. */
export const FRAGMENT_EDGE = /* glsl */ `
float edge(float amount) {
#ifdef SAMPLES
  if (amount <= 0.02) discard;
  return min(amount, 1.0);
#else
  if (amount < 0.5) discard;
  return 1.0;
#endif
}
`;
