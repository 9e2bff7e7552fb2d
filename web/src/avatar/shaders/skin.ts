/** Skin that light shines into, with wrinkles that come and go; see `render/shade.py`. */

export const SKIN_VERTEX = /* glsl */ `
in vec2 numbers;
in vec2 light;
out vec2 atlas;
out vec2 reach;
out vec3 away;
out vec3 place;

void main() {
  Swing by = swing(share);
  atlas = numbers;
  reach = light;
  away = turned(normal, by);
  place = turned(position, by);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
}
`;

/** `n` is the smooth normal, which red light follows; `b` has the wrinkles, which the rest follows. */
export const FRAGMENT_SKIN = /* glsl */ `
vec3 skin(vec3 n, vec3 b, vec3 colour, float gloss, float ao, float key) {
  float smooth_ = dot(n, KEY), cosine = dot(b, KEY);
  vec3 direct = vec3(
    wrapped(0.7 * smooth_ + 0.3 * cosine, 0.42) * (key + 0.22 * key * (1.0 - key)),
    wrapped(0.35 * smooth_ + 0.65 * cosine, 0.28) * key,
    wrapped(cosine, 0.22) * key);
  float fill = wrapped(dot(b, FILL), 0.45) * (0.35 + 0.65 * ao);
  vec3 rim = rims(b) * ao;
  // blood tints what light leaves between folds
  vec3 hidden = vec3(0.22 + 0.78 * ao, ao, ao * (0.92 + 0.08 * ao));
  vec3 light = KEY_LIGHT * direct + FILL_LIGHT * fill + rim + sky(b.y) * hidden;
  // two lobes of gloss: a broad sheen and a narrow film of moisture
  float broad = power16(max(dot(b, normalize(KEY + vec3(0.0, 0.0, 1.0))), 0.0));
  float narrow = broad * broad;
  float facing = 1.0 - max(b.z, 0.0);
  float fresnel = 0.035 + 0.35 * facing * facing * facing * facing;
  float shine = (1.5 * broad + 4.5 * gloss * narrow * narrow) * key * KEY_LIGHT.r + 0.5 * fill;
  shine = shine * fresnel * (0.35 + gloss) + 0.7 * fresnel * rim.r;
  return colour * light + shine * vec3(1.0, 0.97, 0.93);
}
`;

export const SKIN_FRAGMENT = /* glsl */ `
uniform sampler2D painted;
uniform sampler2D glossy;
uniform sampler2D lasting;
uniform sampler2D upperCreases;
uniform sampler2D lowerCreases;
uniform sampler2D pores;
uniform vec4 raised;
uniform vec2 slopes;
in vec2 atlas;
in vec2 reach;
in vec3 away;
in vec3 place;
out vec4 result;

// How often the pores' picture repeats over the atlas, and how steep they are in its measures.
const vec2 TILES = vec2(25.0, 30.0);
const vec2 PORES = vec2(0.50, 0.60);

// How the height of all wrinkles rises along u and v; bytes stand for numbers round 0.
vec2 slope() {
  vec2 total = (texture(lasting, atlas).rg - 0.50196) * slopes.x;
  if (raised.x + raised.y > 0.0) {
    vec4 upper = texture(upperCreases, atlas) - 0.50196;
    total += (upper.rg * raised.x + upper.ba * raised.y) * slopes.y;
  }
  if (raised.z + raised.w > 0.0) {
    vec4 lower = texture(lowerCreases, atlas) - 0.50196;
    total += (lower.rg * raised.z + lower.ba * raised.w) * slopes.y;
  }
#ifdef LEAN
  return total * 255.0;
#else
  return total * 255.0 + PORES * (texture(pores, atlas * TILES).rg - 0.50196);
#endif
}

// The normal of a surface with that height laid on it, from how the place and the atlas change over the screen.
vec3 bumped(vec3 n) {
  vec2 rise = slope();
  vec3 dx = dFdx(place), dy = dFdy(place);
  float hx = dot(rise, dFdx(atlas)), hy = dot(rise, dFdy(atlas));
  vec3 across = cross(dy, n), along = cross(n, dx);
  float area = dot(dx, across);
  vec3 lean = (hx * across + hy * along) / (abs(area) < 1e-10 ? 1.0 : area);
  // nothing is steeper than a wall: at the seams of triangles places can leap
  return normalize(n - lean * min(1.0, 1.2 / max(length(lean), 1e-6)));
}

void main() {
  vec3 n = normalize(away);
  vec3 root = texture(painted, atlas).rgb;
  result = vec4(shown(skin(n, bumped(n), root * root, texture(glossy, atlas).r, reach.x, reach.y)), 1.0);
}
`;
