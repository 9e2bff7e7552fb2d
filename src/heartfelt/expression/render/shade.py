"""The colour of what is seen: skin that light shines into, wet eyes, hair, cloth. Compiled by numba, like `raster`.

A vertex is one row of 16 numbers (see `raster.WIDTH`). A pixel whose four samples lie on one surface is shaded once; at an edge
each surface is shaded and they are mixed. Light is added up in linear amounts; a table turns it into what screens show.
"""

from typing import Any

import numpy as np

from heartfelt.expression.render.compile import compiled, inlined
from heartfelt.expression.render.light import AMBIENT_HIGH, AMBIENT_LOW, FILL, KEY, RIM, RIM_TWO
from heartfelt.expression.render.materials import CLOTH, EYE, GLOSSY, HAIR, MOUTH, SKIN, TEETH

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


@compiled
def step(low: Any, high: Any, value: Any) -> Any:
    """From 0 at `low` to 1 at `high`, smoothly."""
    share = min(max((value - low) / (high - low), F(0.0)), F(1.0))
    return share * share * (F(3.0) - F(2.0) * share)


@compiled
def wrapped(cosine: Any, wrap: Any) -> Any:
    """Light on a surface that lets some of it travel round its shadow's edge."""
    return max((cosine + wrap) / (F(1.0) + wrap), F(0.0))


@compiled
def power_16(base: Any) -> Any:
    base = base * base
    base = base * base
    base = base * base
    return base * base


@compiled
def power_8(base: Any) -> Any:
    base = base * base
    base = base * base
    return base * base


@compiled
def power_32(base: Any) -> Any:
    base = power_16(base)
    return base * base


@compiled
def power_64(base: Any) -> Any:
    base = power_16(base)
    base = base * base
    return base * base


@compiled
def skin(nx, ny, nz, bx, by, bz, red, green, blue, gloss, ao, key):  # pyright: ignore
    """`n` is the smooth normal, which red light follows; `b` has the pores and wrinkles, which the rest follows."""
    kd_r = wrapped(F(0.6) * (nx * F(KX) + ny * F(KY) + nz * F(KZ)) + F(0.4) * (bx * F(KX) + by * F(KY) + bz * F(KZ)), F(0.30))
    cosine = bx * F(KX) + by * F(KY) + bz * F(KZ)
    kd_g, kd_b = wrapped(cosine, F(0.17)), wrapped(cosine, F(0.1))
    cosine = bx * F(FX) + by * F(FY) + bz * F(FZ)
    fill = wrapped(cosine, F(0.3)) * (F(0.35) + F(0.65) * ao)
    rim = max(bx * F(RX) + by * F(RY) + bz * F(RZ), F(0.0)) * ao
    rim2 = max(bx * F(SX) + by * F(SY) + bz * F(SZ), F(0.0)) * ao
    sky = F(0.5) + F(0.5) * by
    # blood tints what light leaves between folds
    ao_r, ao_g = F(0.16) + F(0.84) * ao, ao
    ao_b = ao * (F(0.9) + F(0.1) * ao)
    key_r, key_b = key * (F(1.18) - F(0.18) * key), key
    light_r = F(KR) * kd_r * key_r + F(FR) * fill + F(RR) * rim + F(SR) * rim2 + (F(LR) + (F(HR) - F(LR)) * sky) * ao_r
    light_g = F(KG) * kd_g * key + F(FG) * fill + F(RG) * rim + F(SG) * rim2 + (F(LG) + (F(HG) - F(LG)) * sky) * ao_g
    light_b = F(KB) * kd_b * key_b + F(FB) * fill + F(RB) * rim + F(SB) * rim2 + (F(LB) + (F(HB) - F(LB)) * sky) * ao_b
    # two lobes of gloss: a broad sheen and a narrow film of oil or moisture
    half = max(bx * F(KHX) + by * F(KHY) + bz * F(KHZ), F(0.0))
    half_fill = max(bx * F(FHX) + by * F(FHY) + bz * F(FHZ), F(0.0))
    facing = F(1.0) - max(bz, F(0.0))
    fresnel = F(0.04) + F(0.5) * facing * facing * facing * facing
    shine = (F(1.4) * power_16(half) + F(5.0) * gloss * power_64(half)) * key * F(KR)
    shine += F(1.2) * power_16(half_fill) * F(FR) * ao
    shine = shine * fresnel * (F(0.4) + gloss) + F(0.9) * fresnel * ao * (F(RR) * rim + F(SR) * rim2)
    return red * light_r + shine, green * light_g + shine * F(0.97), blue * light_b + shine * F(0.94)


@compiled
def eye(x, y, z, nx, ny, nz, red, green, blue, pupil, fibres, ao, key):  # pyright: ignore
    """`x y z` is the place on the eyeball with the gaze along z; the iris is a shallow bowl under a wet dome."""
    rho = np.sqrt(x * x + y * y) / F(0.475)
    if z < F(0.0):
        rho = F(3.0)
    corner = step(F(0.55), F(1.0), abs(nx))
    white_r, white_g, white_b = F(0.74) - F(0.06) * corner, F(0.71) - F(0.18) * corner, F(0.69) - F(0.19) * corner
    shade = step(F(1.04), F(0.93), rho)
    if shade > F(0.0):
        angle = np.arctan2(y, x) / F(2.0 * np.pi) + F(0.5)
        column = int(angle * F(fibres.shape[1])) % fibres.shape[1]
        row = min(int(min(rho, F(1.0)) * F(fibres.shape[0])), fibres.shape[0] - 1)
        fibre = fibres[row, column]
        bowl = F(0.8) - F(0.5) * (x * F(KX) + y * F(KY)) / F(0.475)
        ring = F(1.0) - F(0.72) * step(F(0.76), F(1.0), rho)
        heart = F(0.35) * step(F(0.62), F(0.4), rho)
        hole = step(pupil, pupil + F(0.06), rho)
        amount = (F(0.55) + F(0.9) * fibre) * bowl * ring * hole
        iris_r = (red * (F(1.0) + heart) + F(0.10) * heart) * amount + F(0.004)
        iris_g = (green * (F(1.0) + F(0.5) * heart) + F(0.05) * heart) * amount + F(0.004)
        iris_b = (blue * (F(1.0) - F(0.2) * heart)) * amount + F(0.004)
        white_r += (iris_r * F(1.7) - white_r) * shade
        white_g += (iris_g * F(1.7) - white_g) * shade
        white_b += (iris_b * F(1.7) - white_b) * shade
    cosine = nx * F(KX) + ny * F(KY) + nz * F(KZ)
    kd = wrapped(cosine, F(0.45)) * key
    fill = wrapped(nx * F(FX) + ny * F(FY) + nz * F(FZ), F(0.4))
    light = (F(0.75) * F(KG) * kd + F(FG) * fill + F(0.6) * F(HG)) * ao
    return white_r * light, white_g * light, white_b * light


@compiled
def wet(nx, ny, nz, gx, gy, gz, ao):  # pyright: ignore
    """What the wet eye mirrors: the key light as a soft box, and a trace of the fill. `g` is the way of the gaze."""
    near = step(F(0.80), F(0.9), nx * gx + ny * gy + nz * gz)
    cx, cy, cz = nx + near * F(0.55) * (nx - gx), ny + near * F(0.55) * (ny - gy), nz + near * F(0.55) * (nz - gz)
    length = np.sqrt(cx * cx + cy * cy + cz * cz) + F(1e-6)
    cx, cy, cz = cx / length, cy / length, cz / length
    mx, my, mz = F(2.0) * cz * cx, F(2.0) * cz * cy, F(2.0) * cz * cz - F(1.0)
    box = step(F(0.925), F(0.965), mx * F(KX) + my * F(KY) + mz * F(KZ))
    low = step(F(0.90), F(0.99), mx * F(FX) + my * F(FY) + mz * F(FZ))
    return (F(1.25) * box + F(0.10) * low) * (F(0.15) + F(0.85) * ao)


@compiled
def strand(nx, ny, nz, tx, ty, tz, red, green, blue, chance, along, ao, key, gloss):  # pyright: ignore
    """Hair: a cylinder's broad light and two streaks across it, the second one in the colour of the hair."""
    length = np.sqrt(tx * tx + ty * ty + tz * tz) + F(1e-6)
    tx, ty, tz = tx / length, ty / length, tz / length
    along_key = tx * F(KX) + ty * F(KY) + tz * F(KZ)
    around = np.sqrt(max(F(1.0) - along_key * along_key, F(0.0)))
    kd = (
        F(0.55) * wrapped(nx * F(KX) + ny * F(KY) + nz * F(KZ), F(0.35))
        + F(0.45) * around * wrapped(nx * F(KX) + ny * F(KY) + nz * F(KZ), F(0.8))
    ) * key
    fill = wrapped(nx * F(FX) + ny * F(FY) + nz * F(FZ), F(0.4)) * ao
    rim = (max(nx * F(RX) + ny * F(RY) + nz * F(RZ), F(0.0))) * ao
    rim2 = (max(nx * F(SX) + ny * F(SY) + nz * F(SZ), F(0.0))) * ao
    sky = (F(0.5) + F(0.5) * ny) * ao
    shift = (chance - F(0.5)) * F(0.35)
    ax, ay, az = tx + nx * (shift - F(0.08)), ty + ny * (shift - F(0.08)), tz + nz * (shift - F(0.08))
    length = np.sqrt(ax * ax + ay * ay + az * az) + F(1e-6)
    dot = (ax * F(KHX) + ay * F(KHY) + az * F(KHZ)) / length
    first = power_32(max(F(1.0) - dot * dot, F(0.0))) * key
    ax, ay, az = tx + nx * (shift + F(0.18)), ty + ny * (shift + F(0.18)), tz + nz * (shift + F(0.18))
    length = np.sqrt(ax * ax + ay * ay + az * az) + F(1e-6)
    dot = (ax * F(KHX) + ay * F(KHY) + az * F(KHZ)) / length
    second = power_8(max(F(1.0) - dot * dot, F(0.0))) * key
    front = step(F(-0.2), F(0.5), nz + F(0.4) * ny)
    tone = F(0.66) + F(0.68) * chance
    depth = F(0.35) + F(0.65) * ao
    light_r = (F(KR) * kd + F(FR) * fill + F(1.6) * F(RR) * rim + F(SR) * rim2 + F(0.7) * F(HR) * sky) * depth
    light_g = (F(KG) * kd + F(FG) * fill + F(1.6) * F(RG) * rim + F(SG) * rim2 + F(0.7) * F(HG) * sky) * depth
    light_b = (F(KB) * kd + F(FB) * fill + F(1.6) * F(RB) * rim + F(SB) * rim2 + F(0.7) * F(HB) * sky) * depth
    if along < F(0.0):  # the cap under the locks does not shine
        gloss = F(0.3) * gloss
    second *= F(1.3) * gloss * front
    first *= F(0.085) * gloss * front
    first += F(0.05) * gloss * (rim + rim2)
    return (
        red * tone * (light_r + second) + first,
        green * tone * (light_g + second) + first,
        blue * tone * (light_b + second) + first,
    )


@compiled
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


@compiled
def corner(picture: Any, u: Any, v: Any) -> Any:  # pyright: ignore
    """The dot up and left of a place in a picture, and how far beyond it the place is."""
    x = min(max(u, F(0.0)), F(0.9999)) * F(picture.shape[1] - 1)
    y = min(max(v, F(0.0)), F(0.9999)) * F(picture.shape[0] - 1)
    column, row = int(x), int(y)
    return row, column, x - F(column), y - F(row)


@compiled
def mixed(picture: Any, row: Any, column: Any, x: Any, y: Any, channel: Any) -> Any:
    """One channel of a picture between its dots."""
    above = F(picture[row, column, channel]) * (F(1.0) - x) + F(picture[row, column + 1, channel]) * x
    below = F(picture[row + 1, column, channel]) * (F(1.0) - x) + F(picture[row + 1, column + 1, channel]) * x
    return above * (F(1.0) - y) + below * y


@inlined
def surface(index, x, y, vertices, triangles, rows, palette, skin_map, bumps, fibres):  # pyright: ignore
    """The light that comes from one triangle where it covers the place x, y of the screen."""
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
        place = corner(skin_map, u, v)
        red = mixed(skin_map, place[0], place[1], place[2], place[3], 0)
        green = mixed(skin_map, place[0], place[1], place[2], place[3], 1)
        blue = mixed(skin_map, place[0], place[1], place[2], place[3], 2)
        gloss = mixed(skin_map, place[0], place[1], place[2], place[3], 3) * F(1 / 255.0)
        red, green, blue = red * red * F(1 / 65025.0), green * green * F(1 / 65025.0), blue * blue * F(1 / 65025.0)
        du = mixed(bumps, place[0], place[1], place[2], place[3], 0)
        dv = mixed(bumps, place[0], place[1], place[2], place[3], 1)
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
        return skin(nx, ny, nz, hx * length, hy * length, hz * length, red, green, blue, gloss, ao, key)
    if kind == CLOTH:
        # u and v count threads
        weave = F(1.0) + palette[row, 5] * (np.sin(u) * np.sin(v))
        if palette[row, 7] > F(0.0):  # a jacket over a shirt: u counts from its edge
            inside = step(F(0.4), F(-0.4), u)
            weave *= F(1.0) - F(0.45) * step(F(1.2), F(0.0), abs(u - F(0.4)))
            weave *= F(1.0) - F(0.30) * step(F(0.7), F(0.0), abs(u - F(13.0))) * (F(1.0) - inside)
            red, green, blue = (
                red + (F(0.70) - red) * inside,
                green + (F(0.72) - green) * inside,
                blue + (F(0.75) - blue) * inside,
            )
        return matte(nx, ny, nz, red * weave, green * weave, blue * weave, ao, key, palette[row, 4], F(0.0))
    if kind == MOUTH:
        ao = ao * palette[row, 4]
        return skin(nx, ny, nz, nx, ny, nz, red, green, blue, F(0.7), ao, ao)
    if kind == TEETH:
        ao = ao * palette[row, 4]
        return matte(nx, ny, nz, red, green, blue, ao, ao, F(0.0), F(0.25) * ao)
    if kind == GLOSSY:
        return matte(nx, ny, nz, red, green, blue, ao, key, F(0.1), palette[row, 4])
    # the way of the strand, or the place on the eyeball
    tx = wa * vertices[a, 6] + wb * vertices[b, 6] + wc * vertices[c, 6]
    ty = wa * vertices[a, 7] + wb * vertices[b, 7] + wc * vertices[c, 7]
    tz = wa * vertices[a, 8] + wb * vertices[b, 8] + wc * vertices[c, 8]
    length = F(1.0) / (np.sqrt(tx * tx + ty * ty + tz * tz) + F(1e-6))
    tx, ty, tz = tx * length, ty * length, tz * length
    if kind == EYE:
        er, eg, eb = eye(tx, ty, tz, nx, ny, nz, red, green, blue, palette[row, 4], fibres, ao, key)
        shine = wet(nx, ny, nz, palette[row, 5], palette[row, 6], palette[row, 7], ao)
        return er + shine, eg + shine, eb + shine
    own = vertices[a, 9] * F(7.77)
    own = own - F(int(own))
    white = step(palette[row, 5] + F(0.15), palette[row, 5] - F(0.15), own) * palette[row, 6]
    red, green, blue = red + (F(0.42) - red) * white, green + (F(0.41) - green) * white, blue + (F(0.40) - blue) * white
    return strand(nx, ny, nz, tx, ty, tz, red, green, blue, u, v, ao, key, palette[row, 4])


@compiled
def shade(top, bottom, seen, vertices, triangles, rows, palette, skin_map, bumps, fibres, still, backdrop, offsets, table, out):  # pyright: ignore
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
            first, count, stride, share, spread = 0, 4, 1, F(0.25), F(1.0)
            if lowest >= 0:
                row = rows[s0]
                if rows[s1] == row and rows[s2] == row and rows[s3] == row:
                    if palette[row, 0] == HAIR:
                        # strands are finer than pixels: two of the four samples tell enough of them
                        stride, share = 3, F(0.5)
                    elif _flat(s0, s1, s2, s3, vertices, triangles):
                        count, share, spread = 1, F(1.0), F(0.0)
            red = green = blue = F(0.0)
            lr = lg = lb = F(0.0)
            last = -2
            for sample in range(first, count, stride):
                index = seen[y, x, sample]
                if index < 0:
                    lr, lg, lb = still[y, x, sample, 0], still[y, x, sample, 1], still[y, x, sample, 2]
                elif index != last:
                    lr, lg, lb = surface(
                        index, mx + spread * offsets[sample, 0], my + spread * offsets[sample, 1],
                        vertices, triangles, rows, palette, skin_map, bumps, fibres,
                    )  # fmt: skip
                last = index
                # no sample may outshine a pixel: a glint on an edge would flicker
                red += share * min(lr, F(1.5))
                green += share * min(lg, F(1.5))
                blue += share * min(lb, F(1.5))
            out[y, x, 0] = table[int(min(max(red, F(0.0)), F(LIMIT)) * limit)]
            out[y, x, 1] = table[int(min(max(green, F(0.0)), F(LIMIT)) * limit)]
            out[y, x, 2] = table[int(min(max(blue, F(0.0)), F(LIMIT)) * limit)]


@compiled
def _flat(s0, s1, s2, s3, vertices, triangles):  # pyright: ignore
    """Whether the triangles of four samples belong to one stretch of surface: no fold or overlap lies between them."""
    a = triangles[s0, 0]
    near = vertices[a, 15]
    return (
        abs(vertices[triangles[s1, 0], 15] - near) < F(0.006) * near
        and abs(vertices[triangles[s2, 0], 15] - near) < F(0.006) * near
        and abs(vertices[triangles[s3, 0], 15] - near) < F(0.006) * near
    )


@compiled
def shade_samples(seen, vertices, triangles, rows, palette, skin_map, bumps, fibres, offsets, still):  # pyright: ignore
    """The light at every sample that a triangle covers, for what is drawn once and kept."""
    for y in range(seen.shape[0]):
        for x in range(seen.shape[1]):
            for sample in range(4):
                index = seen[y, x, sample]
                if index >= 0:
                    red, green, blue = surface(
                        index, F(x) + F(0.5) + offsets[sample, 0], F(y) + F(0.5) + offsets[sample, 1],
                        vertices, triangles, rows, palette, skin_map, bumps, fibres,
                    )  # fmt: skip
                    still[y, x, sample, 0], still[y, x, sample, 1], still[y, x, sample, 2] = red, green, blue
