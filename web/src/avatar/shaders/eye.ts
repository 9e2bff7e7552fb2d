/** A wet eye: the iris is a shallow bowl under a dome that mirrors the studio. */

export const EYE_VERTEX = /* glsl */ `
uniform vec3 middle;
uniform float radius;
uniform mat3 gaze;
in vec2 light;
out vec3 onBall;
out vec3 aimed;
out vec3 away;
out vec2 reach;

void main() {
  Swing by = swing(1.0);
  onBall = position;
  aimed = position * gaze;
  away = turned(position, by);
  reach = light;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(turned(position * radius + middle, by), 1.0);
}
`;

export const EYE_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float pupil;
uniform float upperLid;
uniform float lowerLid;
uniform vec3 gazing;
uniform sampler2D fibres;
in vec3 onBall;
in vec3 aimed;
in vec3 away;
in vec2 reach;
out vec4 result;

vec3 iris(vec2 at, float rho) {
  float fibre = texture(fibres, vec2(atan(at.y, at.x) / 6.2831853 + 0.5, min(rho, 0.98))).r;
  // light that comes in at the top gathers at the bottom of the bowl
  float bowl = 0.85 - 0.55 * dot(at, KEY.xy) / 0.49;
  float ring = 1.0 - 0.80 * smoothstep(0.74, 1.0, rho);
  float heart = 0.45 * smoothstep(0.66, 0.42, rho);
  float hole = smoothstep(pupil - 0.02, pupil + 0.07, rho);
  float amount = (0.60 + 0.95 * fibre) * bowl * ring * hole;
  vec3 tone = colour * (1.0 + heart * vec3(1.0, 0.5, -0.2)) + heart * vec3(0.10, 0.055, 0.0);
  tone = tone * amount + vec3(0.004, 0.003, 0.003);
  // less colour: irises are greyer than their names
  return 1.9 * mix(tone, vec3(0.30 * (tone.r + tone.g + tone.b)), 0.25);
}

// The key light as a soft box that hangs a little lower than the light itself, and a trace of the fill.
float mirrored(vec3 n, float ao) {
  float near = smoothstep(0.80, 0.9, dot(n, gazing));
  vec3 c = normalize(n + near * 0.55 * (n - gazing));
  vec3 m = vec3(2.0 * c.z * c.x, 2.0 * c.z * c.y, 2.0 * c.z * c.z - 1.0);
  float box = smoothstep(0.945, 0.975, dot(m, vec3(-0.42, 0.38, 0.824)));
  return 1.30 * box + 0.14 * smoothstep(0.90, 0.99, dot(m, FILL)) * (0.15 + 0.85 * ao);
}

void main() {
  vec3 n = normalize(away), at = normalize(aimed);
  float rho = at.z < 0.0 ? 3.0 : length(at.xy) / 0.49;
  float corner = smoothstep(0.50, 1.0, abs(n.x));
  vec3 tone = vec3(0.72, 0.68, 0.65) - corner * vec3(0.05, 0.15, 0.17);
  tone = mix(tone, iris(at.xy, rho), smoothstep(1.07, 0.92, rho));
  float lid = upperLid - 0.30 * onBall.x * onBall.x - onBall.y;
  float shadow = 0.38 + 0.62 * smoothstep(0.0, 0.42, lid);
  float light = 0.72 * KEY_LIGHT.g * wrapped(dot(n, KEY), 0.55) * reach.y;
  light += FILL_LIGHT.g * wrapped(dot(n, FILL), 0.5) + 0.6 * HIGH.g;
  tone *= light * reach.x * shadow * vec3(1.0, 0.985, 0.97);
  tone += mirrored(n, reach.x) * smoothstep(-0.05, 0.08, lid);
  // the lower lid shades the ball a little, and a rim of tears stands on it
  float tears = onBall.y - lowerLid - 0.16 * onBall.x * onBall.x;
  tone *= 0.78 + 0.22 * smoothstep(0.0, 0.16, tears);
  tone += 0.20 * reach.x * smoothstep(0.085, 0.035, tears) * smoothstep(-0.04, 0.02, tears) * smoothstep(0.75, 0.3, abs(onBall.x));
  result = vec4(shown(tone), 1.0);
}
`;
