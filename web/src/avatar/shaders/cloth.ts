/** Cloth with a hem, cut where its cover falls to zero; the frame of glasses; and the wall behind. */

/** Clothes are drawn a little nearer than they are, so that no turning neck comes through. */
export const CLOTH_VERTEX = /* glsl */ `
uniform float breath;
in vec2 numbers;
in vec2 light;
in float cover;
out vec2 along;
out vec2 reach;
out vec3 away;
out float covered;

void main() {
  along = numbers;
  reach = light;
  covered = cover;
  away = normal;
  // shoulders and chest rise with the breath, by a millimetre or two; the collar stays at the neck
  vec3 lift = vec3(0.0, 0.016, 0.012) * breath * smoothstep(-0.7, -1.5, position.y);
  vec4 seen = modelViewMatrix * vec4(position + lift, 1.0);
  gl_Position = projectionMatrix * seen;
  vec4 nearer = projectionMatrix * vec4(seen.xyz * 0.9985, 1.0);
  gl_Position.z = nearer.z / nearer.w * gl_Position.w;
}
`;

/** `along` counts hundredths from the edge of the cloth and goes round it. */
export const CLOTH_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float sheen;
uniform float ribs;
uniform float hem;
in vec2 along;
in vec2 reach;
in vec3 away;
in float covered;
out vec4 result;

void main() {
  float alpha = edge(covered / max(fwidth(covered), 1e-5) + 0.5);
  float tone = 1.0 - 0.30 * smoothstep(0.55, 0.0, abs(along.x - hem)) - 0.25 * smoothstep(0.8, 0.0, along.x);
  if (along.x < hem) tone *= 1.0 + ribs * sin(along.y);
  // the inside of a collar is seen behind the neck, in its shadow
  float lit = gl_FrontFacing ? 1.0 : 0.6;
  vec3 n = gl_FrontFacing ? away : -away;
  result = vec4(shown(matte(normalize(n), colour * tone, lit * reach.x, lit * reach.y, lit * sheen, 0.0)), alpha);
}
`;

export const LINING_VERTEX = /* glsl */ `
out vec3 away;

void main() {
  away = normal;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;

export const LINING_FRAGMENT = /* glsl */ `
uniform vec3 colour;
in vec3 away;
out vec4 result;

void main() {
  result = vec4(shown(colour * (0.10 + 0.25 * wrapped(dot(normalize(away), KEY), 0.5))), 1.0);
}
`;

export const FRAME_VERTEX = /* glsl */ `
in vec2 light;
out vec2 reach;
out vec3 away;

void main() {
  Swing by = swing(share);
  reach = light;
  away = turned(normal, by);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(turned(position, by), 1.0);
}
`;

export const FRAME_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float gloss;
in vec2 reach;
in vec3 away;
out vec4 result;

void main() {
  result = vec4(shown(matte(normalize(away), colour, reach.x, reach.y, 0.1, gloss)), 1.0);
}
`;
