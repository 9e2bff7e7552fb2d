/** Pictures over the whole canvas: the wall behind, the mask of what is drawn, and the one who is leaving. */

export const WHOLE_VERTEX = /* glsl */ `
out vec2 place;

void main() {
  place = 0.5 + 0.5 * position.xy;
  gl_Position = vec4(position.xy, 0.99999, 1.0);
}
`;

/** A plain wall with a pool of light behind the head, darker to its corners, with a grain finer than a shade. */
export const WALL_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float wide;
in vec2 place;
out vec4 result;

float grain(vec2 at) { return fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453) - 0.5; }

void main() {
  vec2 at = vec2((place.x - 0.5) * max(wide, 1.0) + 0.5, 1.0 - place.y);
  vec2 off = (at - vec2(0.56, 0.42)) / vec2(0.46, 0.50);
  float light = 0.34 + 0.62 * exp(-dot(off, off)) - 0.10 * at.y;
  result = vec4(shown(colour * light) + grain(gl_FragCoord.xy) / 255.0, 1.0);
}
`;

/** Makes everything that was drawn opaque: partly covered pixels have some of their samples, and each of these is whole. */
export const OPAQUE_FRAGMENT = /* glsl */ `
out vec4 result;

void main() { result = vec4(1.0); }
`;

export const LEAVING_FRAGMENT = /* glsl */ `
uniform sampler2D picture;
in vec2 place;
out vec4 result;

void main() { result = texture(picture, place); }
`;
