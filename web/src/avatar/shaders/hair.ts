/** Hair and beards: a smooth surface on which strands are drawn, with two streaks of light across them. */

export const HAIR_VERTEX = /* glsl */ `
in vec2 numbers;
in vec2 light;
in vec3 vector;
in float cover;
out vec2 along;
out vec2 reach;
out vec3 away;
out vec3 way;
out float covered;

void main() {
  Swing by = swing(share);
  along = numbers;
  reach = light;
  covered = cover;
  away = turned(normal, by);
  way = turned(vector, by);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(turned(position, by), 1.0);
}
`;

export const HAIR_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float gloss;
uniform float grey;
uniform float fuzz;
uniform sampler2D strands;
in vec2 along;
in vec2 reach;
in vec3 away;
in vec3 way;
in float covered;
out vec4 result;

// Strands are to be seen as strands, also where several share a pixel.
const float SHARPER = -0.8;

// A streak across strands that lean towards the normal by a shift.
float streak(vec3 n, vec3 t, float lean) {
  vec3 axis = normalize(t + n * lean);
  float d = dot(axis, normalize(KEY + vec3(0.0, 0.0, 1.0)));
  return max(1.0 - d * d, 0.0);
}

void main() {
  vec3 n = normalize(away), t = normalize(way);
  // where loose hair turns away from us only single strands of its outermost coat are left, and of coils a soft edge
  float turning = smoothstep(0.42, 0.0, abs(n.z));
  bool coils = fuzz == 0.0;
  float loose = covered + (coils ? 0.25 * turning : -fuzz * turning * smoothstep(1.15, 0.75, covered));
  float strand = texture(strands, along + vec2(0.31, 0.0), coils ? 2.5 * turning : SHARPER).r;
  float amount = covered >= 1.2 ? 1.0 : (loose - strand) * 1.5 + 0.5;
  float alpha = edge(amount);
  float ao = reach.x, key = reach.y;
  float chance = texture(strands, along, SHARPER).r;
  vec3 tone = mix(colour, vec3(0.52, 0.51, 0.50), grey * 0.55 * smoothstep(0.45, 0.95, chance));
  float lean = (chance - 0.5) * 0.22;
  vec3 rim = rims(n) * ao;
  vec3 light = KEY_LIGHT * wrapped(dot(n, KEY), 0.55) * (0.35 + 0.65 * key);
  light += FILL_LIGHT * wrapped(dot(n, FILL), 0.5) * ao + 1.15 * rim + 0.8 * HIGH * (0.5 + 0.5 * n.y) * ao;
  light *= (0.40 + 0.60 * ao) * (0.72 + 0.50 * chance);
  float front = smoothstep(-0.2, 0.6, n.z + 0.4 * n.y) * gloss;
  float first = power16(streak(n, t, lean - 0.02)) * key * 0.095 * front * (0.5 + chance) + 0.03 * gloss * rim.r;
  float second = power8(streak(n, t, lean + 0.04)) * key * front;
  result = vec4(shown(tone * (light + second) + first * vec3(1.0, 0.96, 0.90)), alpha);
}
`;

/** Lashes: single hairs on a veil, dense and thick at the rim of the lid, thin and bent towards each other at their tips. */
export const LASH_VERTEX = /* glsl */ `
in vec2 numbers;
in float cover;
out vec2 along;
out float covered;

void main() {
  Swing by = swing(1.0);
  along = numbers;
  covered = cover;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(turned(position, by), 1.0);
}
`;

export const LASH_FRAGMENT = /* glsl */ `
uniform vec3 colour;
in vec2 along;
in float covered;
out vec4 result;

float hair(float across, float tip) {
  float number = floor(across);
  float chance = fract(sin(number * 91.7) * 4375.5);
  float thick = mix(0.40, 0.06, tip) * step(tip, 0.70 + 0.30 * chance);
  float wide = max(fwidth(across), 0.15);
  float off = abs(fract(across) - 0.5 - 0.3 * (chance - 0.5));
  // where hairs are finer than pixels, their mean is seen
  return mix(1.0 - smoothstep(thick - wide, thick + wide, off), 2.0 * thick, smoothstep(0.5, 1.5, wide));
}

void main() {
  float root = 0.95 * smoothstep(0.85, 0.25, along.y);
  float hairs = hair(along.x * 46.0 + 2.0 * along.y * along.y, along.y) * (1.0 - 0.4 * along.y);
  result = vec4(shown(colour * 0.5), max(hairs, root) * min(2.6 * covered, 1.0));
}
`;
