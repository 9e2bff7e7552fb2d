/** Teeth and tongue, lit by what comes in between the lips. */

/** The vertices are those of the skin. */
export const TEETH_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float inside;
in vec2 atlas;
in vec2 reach;
in vec3 away;
out vec4 result;

// How light a tooth is at a place round the arch and from its tip (0) up, and how far the place is gum.
vec2 tooth(float arch, float high) {
  float side = abs(arch), start = 0.0, wide = 0.082;
  if (side > 0.082) { start = 0.082; wide = 0.062; }
  if (side > 0.144) { start = 0.144; wide = 0.070; }
  if (side > 0.214) { start = 0.214 + 0.066 * floor((side - 0.214) / 0.066); wide = 0.066; }
  float middle = abs((side - start) / wide - 0.5) * 2.0;
  float gap = smoothstep(0.70, 1.05, middle);
  float gum = smoothstep(-0.06, 0.06, high - (0.80 - 0.12 * middle * middle));
  float tip = 0.90 + 0.10 * smoothstep(0.0, 0.25, high);
  return vec2((1.0 - 0.12 * middle * middle) * tip * (1.0 - 0.30 * gap), gum);
}

void main() {
  vec2 found = tooth(atlas.x, atlas.y);
  vec3 tone = mix(colour * vec3(found.x, found.x * found.x, found.x * found.x), vec3(0.42, 0.15, 0.15), found.y);
  float ao = reach.x * inside * (1.0 - 0.35 * smoothstep(0.5, 1.0, atlas.y));
  result = vec4(shown(matte(normalize(away), tone, ao, ao, 0.0, 0.15 * ao)), 1.0);
}
`;

export const TONGUE_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float inside;
in vec2 reach;
in vec3 away;
out vec4 result;

void main() {
  vec3 n = normalize(away);
  float ao = reach.x * inside;
  result = vec4(shown(skin(n, n, colour, 0.5, ao, ao)), 1.0);
}
`;
