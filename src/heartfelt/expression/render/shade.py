"""The colour of what is seen: skin that light shines into, wet eyes, hair, cloth. Compiled by numba, like `raster`.

A vertex is one row of 16 numbers (see `raster.WIDTH`). A pixel whose four samples lie on one surface is shaded once; at an edge
each surface is shaded and they are mixed. Light is added up in linear amounts; a table turns it into what screens show.
"""

from typing import Any

import numpy as np

from heartfelt.expression.render.compile import compiled, inlined
from heartfelt.expression.render.light import AMBIENT_HIGH, AMBIENT_LOW, FILL, KEY, RIM, RIM_TWO
from heartfelt.expression.render.materials import CLOTH, EYE, GLOSSY, MOUTH, SKIN, TEETH
from heartfelt.expression.render.raster import OFFSETS, drawn_from

# Directions and colours of the lights as plain numbers, so that the compiler can fold them in.
KX, KY, KZ, KR, KG, KB = (float(value) for value in KEY)
FX, FY, FZ, FR, FG, FB = (float(value) for value in FILL)
RX, RY, RZ, RR, RG, RB = (float(value) for value in RIM)
SX, SY, SZ, SR, SG, SB = (float(value) for value in RIM_TWO)
HR, HG, HB = (float(value) for value in AMBIENT_HIGH)
LR, LG, LB = (float(value) for value in AMBIENT_LOW)
_KH = np.array([KX, KY, KZ + 1.0]) / np.linalg.norm([KX, KY, KZ + 1.0])
KHX, KHY, KHZ = (float(value) for value in _KH)
_FH = np.array([FX, FY, FZ + 1.0]) / np.linalg.norm([FX, FY, FZ + 1.0])
FHX, FHY, FHZ = (float(value) for value in _FH)
F = np.float32
STEPS = 4096
"""Entries of the table from light to shown colour; the last one stands for `LIMIT` and all above."""
LIMIT = 2.0


@inlined
def step(low: Any, high: Any, value: Any) -> Any:
    """From 0 at `low` to 1 at `high`, smoothly."""
    share = min(max((value - low) / (high - low), F(0.0)), F(1.0))
    return share * share * (F(3.0) - F(2.0) * share)


@inlined
def wrapped(cosine: Any, wrap: Any) -> Any:
    """Light on a surface that lets some of it travel round its shadow's edge."""
    return max((cosine + wrap) / (F(1.0) + wrap), F(0.0))


@inlined
def power_16(base: Any) -> Any:
    base = base * base
    base = base * base
    base = base * base
    return base * base


@inlined
def power_8(base: Any) -> Any:
    base = base * base
    base = base * base
    return base * base


@inlined
def power_64(base: Any) -> Any:
    base = power_16(base)
    base = base * base
    return base * base


@inlined
def skin(nx, ny, nz, bx, by, bz, red, green, blue, gloss, ao, key):  # pyright: ignore
    """`n` is the smooth normal, which red light follows; `b` has the wrinkles, which the rest follows."""
    smooth = nx * F(KX) + ny * F(KY) + nz * F(KZ)
    cosine = bx * F(KX) + by * F(KY) + bz * F(KZ)
    kd_r = wrapped(F(0.7) * smooth + F(0.3) * cosine, F(0.42)) * (key + F(0.22) * key * (F(1.0) - key))
    kd_g, kd_b = wrapped(F(0.35) * smooth + F(0.65) * cosine, F(0.28)) * key, wrapped(cosine, F(0.22)) * key
    fill = wrapped(bx * F(FX) + by * F(FY) + bz * F(FZ), F(0.45)) * (F(0.35) + F(0.65) * ao)
    rim = max(bx * F(RX) + by * F(RY) + bz * F(RZ), F(0.0)) * ao
    rim2 = max(bx * F(SX) + by * F(SY) + bz * F(SZ), F(0.0)) * ao
    sky = F(0.5) + F(0.5) * by
    # blood tints what light leaves between folds
    ao_r = F(0.22) + F(0.78) * ao
    ao_b = ao * (F(0.92) + F(0.08) * ao)
    light_r = F(KR) * kd_r + F(FR) * fill + F(RR) * rim + F(SR) * rim2 + (F(LR) + (F(HR) - F(LR)) * sky) * ao_r
    light_g = F(KG) * kd_g + F(FG) * fill + F(RG) * rim + F(SG) * rim2 + (F(LG) + (F(HG) - F(LG)) * sky) * ao
    light_b = F(KB) * kd_b + F(FB) * fill + F(RB) * rim + F(SB) * rim2 + (F(LB) + (F(HB) - F(LB)) * sky) * ao_b
    # two lobes of gloss: a broad sheen and a narrow film of moisture
    half = max(bx * F(KHX) + by * F(KHY) + bz * F(KHZ), F(0.0))
    facing = F(1.0) - max(bz, F(0.0))
    fresnel = F(0.035) + F(0.35) * facing * facing * facing * facing
    broad = power_16(half)
    narrow = broad * broad
    shine = (F(1.5) * broad + F(4.5) * gloss * narrow * narrow) * key * F(KR) + F(0.5) * fill
    shine = shine * fresnel * (F(0.35) + gloss) + F(0.7) * fresnel * ao * (F(RR) * rim + F(SR) * rim2)
    return red * light_r + shine, green * light_g + shine * F(0.97), blue * light_b + shine * F(0.93)


@inlined
def eye(x, y, z, nx, ny, nz, red, green, blue, pupil, fibres, ao, key, lid):  # pyright: ignore
    """`x y z` is the place on the eyeball with the gaze along z; the iris is a shallow bowl under a wet dome.

    `lid` is how far below the upper lid the place is, in radii of the ball.
    """
    rho = np.sqrt(x * x + y * y) / F(0.49)
    if z < F(0.0):
        rho = F(3.0)
    corner = step(F(0.50), F(1.0), abs(nx))
    white_r, white_g, white_b = F(0.72) - F(0.05) * corner, F(0.68) - F(0.15) * corner, F(0.65) - F(0.17) * corner
    inside = step(F(1.07), F(0.92), rho)
    if inside > F(0.0):
        angle = np.arctan2(y, x) / F(2.0 * np.pi) + F(0.5)
        column = int(angle * F(fibres.shape[1])) % fibres.shape[1]
        row = min(int(min(rho, F(1.0)) * F(fibres.shape[0])), fibres.shape[0] - 1)
        fibre = fibres[row, column]
        # light that comes in at the top gathers at the bottom of the bowl
        bowl = F(0.85) - F(0.55) * (x * F(KX) + y * F(KY)) / F(0.49)
        ring = F(1.0) - F(0.80) * step(F(0.74), F(1.0), rho)
        heart = F(0.45) * step(F(0.66), F(0.42), rho)
        hole = step(pupil - F(0.02), pupil + F(0.07), rho)
        amount = (F(0.60) + F(0.95) * fibre) * bowl * ring * hole
        iris_r = (red * (F(1.0) + heart) + F(0.10) * heart) * amount + F(0.004)
        iris_g = (green * (F(1.0) + F(0.5) * heart) + F(0.055) * heart) * amount + F(0.003)
        iris_b = (blue * (F(1.0) - F(0.2) * heart)) * amount + F(0.003)
        iris = F(0.30) * (iris_r + iris_g + iris_b)  # less colour: irises are greyer than their names
        iris_r, iris_g, iris_b = (
            F(0.75) * iris_r + F(0.25) * iris,
            F(0.75) * iris_g + F(0.25) * iris,
            F(0.75) * iris_b + F(0.25) * iris,
        )
        white_r += (iris_r * F(1.9) - white_r) * inside
        white_g += (iris_g * F(1.9) - white_g) * inside
        white_b += (iris_b * F(1.9) - white_b) * inside
    cosine = nx * F(KX) + ny * F(KY) + nz * F(KZ)
    kd = wrapped(cosine, F(0.55)) * key
    fill = wrapped(nx * F(FX) + ny * F(FY) + nz * F(FZ), F(0.5))
    shadow = F(0.38) + F(0.62) * step(F(0.0), F(0.42), lid)
    light = (F(0.72) * F(KG) * kd + F(FG) * fill + F(0.6) * F(HG)) * ao * shadow
    return white_r * light, white_g * light * F(0.985), white_b * light * F(0.97)


@inlined
def wet(nx, ny, nz, gx, gy, gz, ao):  # pyright: ignore
    """What the wet eye mirrors: the key light as a soft box, and a trace of the fill. `g` is the way of the gaze."""
    near = step(F(0.80), F(0.9), nx * gx + ny * gy + nz * gz)
    cx, cy, cz = nx + near * F(0.55) * (nx - gx), ny + near * F(0.55) * (ny - gy), nz + near * F(0.55) * (nz - gz)
    length = np.sqrt(cx * cx + cy * cy + cz * cz) + F(1e-6)
    cx, cy, cz = cx / length, cy / length, cz / length
    mx, my, mz = F(2.0) * cz * cx, F(2.0) * cz * cy, F(2.0) * cz * cz - F(1.0)
    # the box hangs a little lower than the light itself, so that the lid leaves it free
    box = step(F(0.945), F(0.975), mx * F(-0.42) + my * F(0.38) + mz * F(0.824))
    low = step(F(0.90), F(0.99), mx * F(FX) + my * F(FY) + mz * F(FZ))
    return F(1.30) * box + F(0.14) * low * (F(0.15) + F(0.85) * ao)


@inlined
def strand(nx, ny, nz, tx, ty, tz, red, green, blue, chance, ao, key, gloss):  # pyright: ignore
    """Hair: a soft broad light, and two streaks across the strands, the second one in the colour of the hair."""
    cosine = nx * F(KX) + ny * F(KY) + nz * F(KZ)
    kd = wrapped(cosine, F(0.55)) * (F(0.35) + F(0.65) * key)
    fill = wrapped(nx * F(FX) + ny * F(FY) + nz * F(FZ), F(0.5)) * ao
    rim = max(nx * F(RX) + ny * F(RY) + nz * F(RZ), F(0.0)) * ao
    rim2 = max(nx * F(SX) + ny * F(SY) + nz * F(SZ), F(0.0)) * ao
    sky = (F(0.5) + F(0.5) * ny) * ao
    shift = (chance - F(0.5)) * F(0.22)
    ax, ay, az = tx + nx * (shift - F(0.02)), ty + ny * (shift - F(0.02)), tz + nz * (shift - F(0.02))
    dot = ax * F(KHX) + ay * F(KHY) + az * F(KHZ)
    first = power_16(max(F(1.0) - dot * dot / (ax * ax + ay * ay + az * az + F(1e-6)), F(0.0))) * key
    ax, ay, az = tx + nx * (shift + F(0.04)), ty + ny * (shift + F(0.04)), tz + nz * (shift + F(0.04))
    dot = ax * F(KHX) + ay * F(KHY) + az * F(KHZ)
    second = power_8(max(F(1.0) - dot * dot / (ax * ax + ay * ay + az * az + F(1e-6)), F(0.0))) * key
    front = step(F(-0.2), F(0.6), nz + F(0.4) * ny)
    depth = (F(0.40) + F(0.60) * ao) * (F(0.72) + F(0.50) * chance)
    light_r = (F(KR) * kd + F(FR) * fill + F(1.2) * F(RR) * rim + F(SR) * rim2 + F(0.8) * F(HR) * sky) * depth
    light_g = (F(KG) * kd + F(FG) * fill + F(1.2) * F(RG) * rim + F(SG) * rim2 + F(0.8) * F(HG) * sky) * depth
    light_b = (F(KB) * kd + F(FB) * fill + F(1.2) * F(RB) * rim + F(SB) * rim2 + F(0.8) * F(HB) * sky) * depth
    second *= F(1.0) * gloss * front
    first *= F(0.095) * gloss * front * (F(0.5) + chance)
    first += F(0.03) * gloss * (rim + rim2)
    return (
        red * (light_r + second) + first,
        green * (light_g + second) + first * F(0.96),
        blue * (light_b + second) + first * F(0.90),
    )


@inlined
def tooth(arch: Any, high: Any) -> Any:
    """How light a tooth is at a place round the arch and from its tip (0) up, and how far the place is gum."""
    side, start, wide = abs(arch), F(0.0), F(0.082)
    if side > F(0.082):
        start, wide = F(0.082), F(0.062)
    if side > F(0.144):
        start, wide = F(0.144), F(0.070)
    if side > F(0.214):
        start, wide = F(0.214) + F(0.066) * F(int((side - F(0.214)) / F(0.066))), F(0.066)
    share = (side - start) / wide  # from 0 to 1 across the tooth
    middle = abs(share - F(0.5)) * F(2.0)
    gap = step(F(0.70), F(1.05), middle)
    gum = step(F(-0.06), F(0.06), high - (F(0.80) - F(0.12) * middle * middle))
    round_ = F(1.0) - F(0.12) * middle * middle
    edge = F(0.90) + F(0.10) * step(F(0.0), F(0.25), high)
    return round_ * edge * (F(1.0) - F(0.30) * gap), gum


@inlined
def matte(nx, ny, nz, red, green, blue, ao, key, sheen, gloss):  # pyright: ignore
    """Cloth, plastic, teeth: plain light with a sheen at the edges and some gloss."""
    kd = wrapped(nx * F(KX) + ny * F(KY) + nz * F(KZ), F(0.15)) * key
    fill = wrapped(nx * F(FX) + ny * F(FY) + nz * F(FZ), F(0.25)) * ao
    rim = max(nx * F(RX) + ny * F(RY) + nz * F(RZ), F(0.0)) * ao
    rim2 = max(nx * F(SX) + ny * F(SY) + nz * F(SZ), F(0.0)) * ao
    sky = (F(0.5) + F(0.5) * ny) * ao
    edge = F(1.0) - max(nz, F(0.0))
    edge = edge * edge * sheen
    half = max(nx * F(KHX) + ny * F(KHY) + nz * F(KHZ), F(0.0))
    shine = gloss * power_64(half) * key
    light_r = F(KR) * kd + F(FR) * fill + F(RR) * rim + F(SR) * rim2 + F(LR) * ao + (F(HR) - F(LR)) * sky + edge * ao
    light_g = F(KG) * kd + F(FG) * fill + F(RG) * rim + F(SG) * rim2 + F(LG) * ao + (F(HG) - F(LG)) * sky + edge * ao
    light_b = F(KB) * kd + F(FB) * fill + F(RB) * rim + F(SB) * rim2 + F(LB) * ao + (F(HB) - F(LB)) * sky + edge * ao
    return red * light_r + shine, green * light_g + shine, blue * light_b + shine


@inlined
def corner(picture: Any, u: Any, v: Any) -> Any:  # pyright: ignore
    """The dot up and left of a place in a picture, and how far beyond it the place is."""
    x = min(max(u, F(0.0)), F(0.9999)) * F(picture.shape[1] - 1)
    y = min(max(v, F(0.0)), F(0.9999)) * F(picture.shape[0] - 1)
    column, row = int(x), int(y)
    return row, column, x - F(column), y - F(row)


@inlined
def mixed(picture: Any, row: Any, column: Any, x: Any, y: Any, channel: Any) -> Any:
    """One channel of a picture between its dots."""
    above = F(picture[row, column, channel]) * (F(1.0) - x) + F(picture[row, column + 1, channel]) * x
    below = F(picture[row + 1, column, channel]) * (F(1.0) - x) + F(picture[row + 1, column + 1, channel]) * x
    return above * (F(1.0) - y) + below * y


@inlined
def skin_at(u, v, nx, ny, nz, ao, key, a, b, c, vertices, skin_map, bumps):  # pyright: ignore
    """The light of skin at a place of the atlas, on the triangle of the vertices a, b and c."""
    row, column, fx, fy = corner(skin_map, u, v)
    red, green = mixed(skin_map, row, column, fx, fy, 0), mixed(skin_map, row, column, fx, fy, 1)
    blue, gloss = mixed(skin_map, row, column, fx, fy, 2), mixed(skin_map, row, column, fx, fy, 3) * F(1 / 255.0)
    red, green, blue = red * red * F(1 / 65025.0), green * green * F(1 / 65025.0), blue * blue * F(1 / 65025.0)
    row, column, fx, fy = corner(bumps, u, v)
    du, dv = mixed(bumps, row, column, fx, fy, 0), mixed(bumps, row, column, fx, fy, 1)
    hx, hy, hz = nx, ny, nz
    if du != F(0.0) or dv != F(0.0):
        ex, ey, ez = vertices[b, 0] - vertices[a, 0], vertices[b, 1] - vertices[a, 1], vertices[b, 2] - vertices[a, 2]
        gx, gy, gz = vertices[c, 0] - vertices[a, 0], vertices[c, 1] - vertices[a, 1], vertices[c, 2] - vertices[a, 2]
        mx, my, mz = ey * gz - ez * gy, ez * gx - ex * gz, ex * gy - ey * gx
        square = F(1.0) / (mx * mx + my * my + mz * mz + F(1e-14))
        # how far the height rises from a to b and to c, then along the surface
        rise_b = du * (vertices[b, 9] - vertices[a, 9]) + dv * (vertices[b, 10] - vertices[a, 10])
        rise_c = du * (vertices[c, 9] - vertices[a, 9]) + dv * (vertices[c, 10] - vertices[a, 10])
        px, py, pz = rise_c * ex - rise_b * gx, rise_c * ey - rise_b * gy, rise_c * ez - rise_b * gz
        hx, hy, hz = nx - (my * pz - mz * py) * square, ny - (mz * px - mx * pz) * square, nz - (mx * py - my * px) * square
        length = F(1.0) / (np.sqrt(hx * hx + hy * hy + hz * hz) + F(1e-6))
        hx, hy, hz = hx * length, hy * length, hz * length
    return skin(nx, ny, nz, hx, hy, hz, red, green, blue, gloss, ao, key)


@inlined
def cloth_at(u, v, nx, ny, nz, ao, key, red, green, blue, sheen, ribs, hem):  # pyright: ignore
    """Cloth: `u` counts hundredths from its edge, `v` goes round it."""
    tone = F(1.0) - F(0.30) * step(F(0.55), F(0.0), abs(u - hem)) - F(0.25) * step(F(0.8), F(0.0), u)
    if u < hem:
        tone *= F(1.0) + ribs * np.sin(v)
    return matte(nx, ny, nz, red * tone, green * tone, blue * tone, ao, key, sheen, F(0.0))


@inlined
def teeth_at(u, v, nx, ny, nz, ao, red, green, blue):  # pyright: ignore
    """Teeth and gums, in the shadow of the lip towards the gums."""
    light, gum = tooth(u, v)
    red, green, blue = red * light, green * light * light, blue * light * light
    red, green, blue = red + (F(0.42) - red) * gum, green + (F(0.15) - green) * gum, blue + (F(0.15) - blue) * gum
    ao *= F(1.0) - F(0.35) * step(F(0.5), F(1.0), v)
    return matte(nx, ny, nz, red, green, blue, ao, ao, F(0.0), F(0.15) * ao)


@inlined
def eye_at(u, v, nx, ny, nz, tx, ty, tz, ao, key, row, palette, fibres):  # pyright: ignore
    """An eye; `u` and `v` are how far up and to its left the place lies on the ball, whatever the gaze."""
    lid = palette[row, 8] - F(0.30) * v * v - u
    red, green, blue = eye(
        tx, ty, tz, nx, ny, nz, palette[row, 1], palette[row, 2], palette[row, 3], palette[row, 4], fibres, ao, key, lid
    )
    shine = wet(nx, ny, nz, palette[row, 5], palette[row, 6], palette[row, 7], ao) * step(F(-0.05), F(0.08), lid)
    return red + shine, green + shine, blue + shine


@inlined
def hair_at(u, v, nx, ny, nz, tx, ty, tz, ao, key, red, green, blue, gloss, grey, pattern):  # pyright: ignore
    """Hair with its strands, some of them whiter."""
    chance = drawn_from(pattern, u, v)
    white = grey * F(0.55) * step(F(0.45), F(0.95), chance)
    red, green, blue = red + (F(0.52) - red) * white, green + (F(0.51) - green) * white, blue + (F(0.50) - blue) * white
    return strand(nx, ny, nz, tx, ty, tz, red, green, blue, chance, ao, key, gloss)


@inlined
def surface(index, x, y, vertices, triangles, rows, palette, skin_map, bumps, fibres, pattern):  # pyright: ignore
    """The light that comes from one triangle where it covers the place x, y of the screen.

    There is one way out, and each kind is a function of its own: with more, the compiler counts references at every pixel.
    """
    a, b, c = triangles[index, 0], triangles[index, 1], triangles[index, 2]
    ax, ay = vertices[a, 13], vertices[a, 14]
    bx, by, cx, cy = vertices[b, 13] - ax, vertices[b, 14] - ay, vertices[c, 13] - ax, vertices[c, 14] - ay
    scale = F(1.0) / (bx * cy - cx * by)
    wb, wc = ((x - ax) * cy - (y - ay) * cx) * scale, ((y - ay) * bx - (x - ax) * by) * scale
    # a place just outside the triangle stays near it
    wb, wc = min(max(wb, F(-0.3)), F(1.3)), min(max(wc, F(-0.3)), F(1.3))
    wa = F(1.0) - wb - wc
    nx = wa * vertices[a, 3] + wb * vertices[b, 3] + wc * vertices[c, 3]
    ny = wa * vertices[a, 4] + wb * vertices[b, 4] + wc * vertices[c, 4]
    nz = wa * vertices[a, 5] + wb * vertices[b, 5] + wc * vertices[c, 5]
    length = F(1.0) / (np.sqrt(nx * nx + ny * ny + nz * nz) + F(1e-6))
    nx, ny, nz = nx * length, ny * length, nz * length
    u = wa * vertices[a, 9] + wb * vertices[b, 9] + wc * vertices[c, 9]
    v = wa * vertices[a, 10] + wb * vertices[b, 10] + wc * vertices[c, 10]
    ao = wa * vertices[a, 11] + wb * vertices[b, 11] + wc * vertices[c, 11]
    key = wa * vertices[a, 12] + wb * vertices[b, 12] + wc * vertices[c, 12]
    row = rows[index]
    kind = int(palette[row, 0])
    red, green, blue = palette[row, 1], palette[row, 2], palette[row, 3]
    if kind == SKIN:
        light = skin_at(u, v, nx, ny, nz, ao, key, a, b, c, vertices, skin_map, bumps)
    elif kind == CLOTH:
        light = cloth_at(u, v, nx, ny, nz, ao, key, red, green, blue, palette[row, 4], palette[row, 5], palette[row, 6])
    elif kind == MOUTH:
        inside = ao * palette[row, 4]
        light = skin(nx, ny, nz, nx, ny, nz, red, green, blue, F(0.5), inside, inside)
    elif kind == TEETH:
        light = teeth_at(u, v, nx, ny, nz, ao * palette[row, 4], red, green, blue)
    elif kind == GLOSSY:
        light = matte(nx, ny, nz, red, green, blue, ao, key, F(0.1), palette[row, 4])
    else:
        # the way of the strand, or the place on the eyeball
        tx = wa * vertices[a, 6] + wb * vertices[b, 6] + wc * vertices[c, 6]
        ty = wa * vertices[a, 7] + wb * vertices[b, 7] + wc * vertices[c, 7]
        tz = wa * vertices[a, 8] + wb * vertices[b, 8] + wc * vertices[c, 8]
        length = F(1.0) / (np.sqrt(tx * tx + ty * ty + tz * tz) + F(1e-6))
        tx, ty, tz = tx * length, ty * length, tz * length
        if kind == EYE:
            light = eye_at(u, v, nx, ny, nz, tx, ty, tz, ao, key, row, palette, fibres)
        else:
            light = hair_at(u, v, nx, ny, nz, tx, ty, tz, ao, key, red, green, blue, palette[row, 4], palette[row, 5], pattern)
    return light


@compiled
def shade(top, bottom, seen, vertices, triangles, rows, palette, skin_map, bumps, fibres, pattern, still, backdrop, table, out):  # pyright: ignore
    """Fill the rows from `top` to `bottom` of `out`.

    `still` is the light of what never moves, at each sample, and `backdrop` its finished picture.
    """
    limit = F(STEPS - 1) / F(LIMIT)
    for y in range(top, bottom):
        for x in range(seen.shape[1]):
            s0, s1, s2, s3 = seen[y, x, 0], seen[y, x, 1], seen[y, x, 2], seen[y, x, 3]
            lowest = min(min(s0, s1), min(s2, s3))
            if max(max(s0, s1), max(s2, s3)) < 0:
                out[y, x, 0], out[y, x, 1], out[y, x, 2] = backdrop[y, x, 0], backdrop[y, x, 1], backdrop[y, x, 2]
                continue
            mx, my = F(x) + F(0.5), F(y) + F(0.5)
            count, share, spread = 4, F(0.25), F(1.0)
            if s0 == s1 and s0 == s2 and s0 == s3:
                count, share, spread = 1, F(1.0), F(0.0)
            elif lowest >= 0:
                row = rows[s0]
                same = rows[s1] == row and rows[s2] == row and rows[s3] == row
                if same and _flat(s0, s1, s2, s3, vertices, triangles):
                    count, share, spread = 1, F(1.0), F(0.0)
            red = green = blue = F(0.0)
            lr = lg = lb = F(0.0)
            last = -2
            for sample in range(count):
                index = seen[y, x, sample]
                if index < 0:
                    lr, lg, lb = still[y, x, sample, 0], still[y, x, sample, 1], still[y, x, sample, 2]
                elif index != last:
                    lr, lg, lb = surface(
                        index, mx + spread * OFFSETS[sample, 0], my + spread * OFFSETS[sample, 1],
                        vertices, triangles, rows, palette, skin_map, bumps, fibres, pattern,
                    )  # fmt: skip
                last = index
                # no sample may outshine a pixel: a glint on an edge would flicker
                red += share * min(lr, F(1.5))
                green += share * min(lg, F(1.5))
                blue += share * min(lb, F(1.5))
            out[y, x, 0] = table[int(min(max(red, F(0.0)), F(LIMIT)) * limit)]
            out[y, x, 1] = table[int(min(max(green, F(0.0)), F(LIMIT)) * limit)]
            out[y, x, 2] = table[int(min(max(blue, F(0.0)), F(LIMIT)) * limit)]


@inlined
def _flat(s0, s1, s2, s3, vertices, triangles):  # pyright: ignore
    """Whether the triangles of four samples belong to one stretch of surface: no fold or overlap lies between them."""
    a, b, c, d = triangles[s0, 0], triangles[s1, 0], triangles[s2, 0], triangles[s3, 0]
    near, up = vertices[a, 15], vertices[a, 4]
    return (
        abs(vertices[b, 15] - near) < F(0.006) * near
        and abs(vertices[c, 15] - near) < F(0.006) * near
        and abs(vertices[d, 15] - near) < F(0.006) * near
        and abs(vertices[b, 4] - up) < F(0.4)
        and abs(vertices[c, 4] - up) < F(0.4)
        and abs(vertices[d, 4] - up) < F(0.4)
    )


@compiled
def shade_samples(seen, vertices, triangles, rows, palette, skin_map, bumps, fibres, pattern, still):  # pyright: ignore
    """The light at every sample that a triangle covers, for what is drawn once and kept."""
    for y in range(seen.shape[0]):
        for x in range(seen.shape[1]):
            for sample in range(4):
                index = seen[y, x, sample]
                if index >= 0:
                    red, green, blue = surface(
                        index, F(x) + F(0.5) + OFFSETS[sample, 0], F(y) + F(0.5) + OFFSETS[sample, 1],
                        vertices, triangles, rows, palette, skin_map, bumps, fibres, pattern,
                    )  # fmt: skip
                    still[y, x, sample, 0], still[y, x, sample, 1], still[y, x, sample, 2] = red, green, blue
