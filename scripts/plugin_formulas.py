# SPDX-License-Identifier: MIT
"""The variations of kiln that flam3 does not have, in double, straight from their published behavior: the reference beside
kernels/variations/plugin_*.h, as flame_formulas.py is beside flam3's 99.

Written independently of the C++. A formula gets a Place (point, z, color, draws) and returns (X, Y, Z) or (X, Y, Z, color); Z is
None where the variation says nothing of depth. make_plugin_vectors.py checks all of them with numbers that the program which has
these variations printed.
"""

import math

from flame_formulas import NAN, PI, Point, acos, cos, cosh, div, exp, floor, fmod, ln, more, power, sin, sinh, sqrt, trunc

EPS = 2.0**-52  # what is divided by instead of 0


def nz(t):
    return EPS if t == 0 else t


def tan(x):
    return div(sin(x), cos(x))


def asin(x):
    return math.asin(x) if -1 <= x <= 1 else NAN


def clamp(t, low, high):
    return min(max(t, low), high)


def whole(t):
    return floor(t + 0.5)


def rounded(t):
    """Half away from zero."""
    return math.copysign(floor(abs(t) + 0.5), t) if math.isfinite(t) else t


class Place(Point):
    """A Point of three dimensions with a color. Draws as kiln makes them: always all that a formula may need; `sparing` ones only
    where they are used, as Ember does. `before` is the xform's point after affine and pre_ forms."""
    sparing = False

    @staticmethod
    def of(point, z=0.0, color=0.0, before=None):
        point.__class__ = Place
        point.z, point.color = z, color
        point.before = before or (point.x, point.y, z)
        return point

    def S(self): return 2 * self.U() - 1
    def H(self): return self.U() - 0.5
    def K(self, n): return floor(self.U() * n)
    def U_if(self, needed): return self.U() if needed or not self.sparing else 0.0

    def gauss(self):
        return self.U() + self.U() + self.U() + self.U() - 2

    R3 = property(lambda self: self.r2 + self.z * self.z)


FORMS = {}  # name -> class ('assign', 'sum' or 'depth'), coordinates of the sum that the regular form replaces


def plugin(name, parameters='', form='assign', restarts=''):
    def add(formula):
        FORMS[name] = (formula, form, restarts)
        more(name, parameters)(lambda q: tuple(formula(Place.of(q))[:2]))
        return formula
    return add


def polar(radius, angle): return radius * cos(angle), radius * sin(angle)
def weighed(q, x, y): return q.w * x, q.w * y, q.w * q.z
def flat(x, y): return x, y, None


# ---- depth ----

@plugin('flatten', form='depth', restarts='z')
def flatten(q): return 0.0, 0.0, 0.0


@plugin('hemisphere')
def hemisphere(q):
    s = q.w / sqrt(q.r2 + 1)
    return s * q.x, s * q.y, s


@plugin('curl3D', 'curl3D_cx=0 curl3D_cy=0 curl3D_cz=0')
def curl3d(q):
    cx, cy, cz = q.v
    R = q.R3
    s = q.w / nz(R * (cx * cx + cy * cy + cz * cz) + 2 * cx * q.x - 2 * cy * q.y + 2 * cz * q.z + 1)
    return s * (q.x + cx * R), s * (q.y - cy * R), s * (q.z + cz * R)


@plugin('Spherical3D')
def spherical3d(q):
    s = q.w / nz(q.R3)
    return s * q.x, s * q.y, s * q.z


@plugin('ztranslate', form='sum')
def ztranslate(q): return 0.0, 0.0, q.w


@plugin('zscale')
def zscale(q): return 0.0, 0.0, q.w * q.z


@plugin('zcone', form='depth')
def zcone(q): return 0.0, 0.0, q.w * q.r


@plugin('zblur', form='sum')
def zblur(q): return 0.0, 0.0, q.w * q.gauss()


@plugin('blur3D', form='sum')
def blur3d(q):
    a = 2 * q.pi * q.U()
    s = q.w * q.gauss()
    b = q.pi * q.U()
    return s * sin(b) * cos(a), s * sin(b) * sin(a), s * cos(b)


@plugin('foci_3D')
def foci_3d(q):
    E = exp(q.x) / 2
    N = div(0.25, nz(E))
    b = q.z if q.z != 0 else q.phi
    s = q.w / nz(E + N - cos(q.y) * cos(b))
    return s * (E - N), s * sin(q.y), s * sin(b)


def julia_power(p):
    p = whole(p)
    return p if p != 0 else 1.0


@plugin('julia3D', 'julia3D_power=2')
def julia3d(q):
    p = julia_power(q.v[0])
    n = abs(p)
    d = q.z / n
    s = q.w * power(q.r2 + d * d, (1 / p - 1) / 2)
    a = (q.phi + 2 * q.pi * q.K(n)) / p
    return s * q.r * cos(a), s * q.r * sin(a), s * d


@plugin('julia3Dz', 'julia3Dz_power=2')
def julia3dz(q):
    p = julia_power(q.v[0])
    n = abs(p)
    s = q.w * power(q.r2, 1 / (2 * p))
    a = (q.phi + 2 * q.pi * q.K(n)) / p
    return s * cos(a), s * sin(a), s * q.z / nz(q.r * n)


@plugin('rotate_x', restarts='x')
def rotate_x(q):
    t = q.w * q.pi / 2
    return q.x, q.z * sin(t) + q.y * cos(t), q.z * cos(t) - q.y * sin(t)


@plugin('rotate_y', restarts='y')
def rotate_y(q):
    t = q.w * q.pi / 2
    return q.x * cos(t) - q.z * sin(t), q.y, q.x * sin(t) + q.z * cos(t)


@plugin('rotate_z', restarts='z')
def rotate_z(q):
    t = q.w * q.pi / 2
    return q.x * cos(t) + q.y * sin(t), q.y * cos(t) - q.x * sin(t), q.z


def mirrored(q, t): return -abs(t) if q.B() else abs(t)


@plugin('mirror_x', restarts='xyz')
def mirror_x(q): return mirrored(q, q.x), q.y, q.z


@plugin('mirror_y', restarts='xyz')
def mirror_y(q): return q.x, mirrored(q, q.y), q.z


@plugin('mirror_z', restarts='xyz')
def mirror_z(q): return q.x, q.y, mirrored(q, q.z)


@plugin('sphereblur', 'sphereblur_power=1', form='sum')
def sphereblur(q):
    a = 2 * q.pi * q.U()
    b = acos(2 * q.U() - 1)
    u = power(q.U(), max(q.v[0], 0))
    s = q.w * power(acos(2 * u - 1) / PI, 2 / 3)
    return s * cos(a) * sin(b), s * sin(a) * sin(b), s * cos(b)


@plugin('bubble2', 'bubble2_x=1 bubble2_y=1 bubble2_z=0')
def bubble2(q):
    px, py, pz = q.v
    s = q.w / nz(q.R3 / 4 + 1)
    return s * q.x * px, s * q.y * py, q.w * (q.z + (pz if q.z >= 0 else -pz)) + s * q.z * pz


@plugin('splits3D', 'splits3D_x=0 splits3D_y=0 splits3D_z=0')
def splits3d(q):
    return tuple(q.w * (t + p if t >= 0 else t - p) for t, p in zip((q.x, q.y, q.z), q.v))


@plugin('dc_ztransl', 'dc_ztransl_x0=0 dc_ztransl_x1=1 dc_ztransl_factor=1 dc_ztransl_overwrite=1 dc_ztransl_clamp=0')
def dc_ztransl(q):
    x0, x1, factor, overwrite, limit = q.v
    low, high = sorted((clamp(x0, 0, 1), clamp(x1, 0, 1)))
    t = factor * (q.color - low) / nz(high - low)
    if limit >= 0.5:
        t = clamp(t, 0, 1)
    return q.w * q.x, q.w * q.y, q.w * (t if overwrite >= 0.5 else q.z * t)


@plugin('depth', 'depth_power=1')
def depth(q):
    far = abs(q.z)
    k = 0.0 if far == 0 else far if q.v[0] == 1 else power(far, q.v[0])
    return tuple(q.w * (b + t * k) for b, t in zip(q.before, (q.x, q.y, q.z)))


# ---- blurs ----

@plugin('sineblur', 'sineblur_power=1', form='sum')
def sineblur(q):
    a = 2 * PI * q.U()
    u = power(q.U(), max(q.v[0], 0))
    return flat(*polar(q.w * acos(2 * u - 1) / q.pi, a))


@plugin('blur_linear', 'blur_linear_length=0 blur_linear_angle=0')
def blur_linear(q):
    length, angle = q.v
    t = length * q.U()
    return flat(q.w * (q.x + t * cos(angle)), q.w * (q.y + t * sin(angle)))


@plugin('blur_zoom', 'blur_zoom_length=0 blur_zoom_x=0 blur_zoom_y=0')
def blur_zoom(q):
    length, px, py = q.v
    k = 1 + length * q.U()
    return weighed(q, (q.x - px) * k + px, (q.y + py) * k - py)


@plugin('gaussian')
def gaussian(q):
    a = 2 * PI * q.U()
    s = q.w * q.gauss()
    return flat(q.x + s * cos(a), q.y + s * sin(a))


@plugin('blur_circle', form='sum')
def blur_circle(q):
    u, v = q.S(), q.S()
    au, av = abs(u), abs(v)
    m = max(au, av)
    if au >= av:
        p = au + v if u >= av else 5 * au - v
    else:
        p = 3 * av - u if v >= au else 7 * av + u
    x, y = polar(m, PI / 4 * (div(p, m) - 1))
    return weighed(q, x, y)


@plugin('circleblur', form='sum')
def circleblur(q):
    s = q.w * sqrt(q.U())
    return flat(*polar(s, 2 * PI * q.U()))


@plugin('rblur', 'rblur_strength=1 rblur_offset=1 rblur_center_x=0 rblur_center_y=0')
def rblur(q):
    strength, offset, cx, cy = q.v
    k = 2 * strength * max(0.0, sqrt((q.x - cx)**2 + (q.y - cy)**2) - offset)
    h1, h2 = q.H(), q.H()
    return flat(q.w * (q.x + k * h1), q.w * (q.y + k * h2))


@plugin('blur_pixelize', 'blur_pixelize_size=0.1 blur_pixelize_scale=1')
def blur_pixelize(q):
    size, scale = max(q.v[0], EPS), q.v[1]
    h1, h2 = q.H(), q.H()
    return weighed(q, size * (floor(q.x / size) + scale * h1 + 0.5), size * (floor(q.y / size) + scale * h2 + 0.5))


@plugin('blur_square', form='sum')
def blur_square(q):
    h1, h2 = q.H(), q.H()
    return flat(2 * q.w * h1, 2 * q.w * h2)


@plugin('tile_log', 'tile_log_spread=1')
def tile_log(q):
    u = q.U()
    spread = q.v[0] if q.B() else -q.v[0]
    return flat(q.w * (q.x + rounded(ln(u if q.sparing else u + 2.0**-25) * spread)), q.w * q.y)


@plugin('tile_hlp', 'tile_hlp_width=1')
def tile_hlp(q):
    width = nz(q.v[0])
    t = q.x / width
    c = cos(PI * (t - trunc(t)))
    step = (-width if t > 0 else width) if c < q.S() else 0.0
    return flat(q.w * (q.x + step), q.w * q.y)


@plugin('depth_blur2', 'depth_blur2_power=5 depth_blur2_range=0.401623 depth_blur2_blur=1 depth_blur2_radius=1 depth_blur2_x0=0'
      ' depth_blur2_y0=0 depth_blur2_mulx=1 depth_blur2_muly=1 depth_blur2_exp=1')
def depth_blur2(q):
    p, rng, blur, radius, x0, y0, mulx, muly, e = q.v
    al = q.pi / nz(p)
    side = sqrt(1 + rng * rng - 2 * rng * cos(al))
    be = asin(rng * sin(al) / nz(side))
    d = sqrt(((q.x - x0) / nz(mulx))**2 + ((q.y - y0) / nz(muly))**2)
    inside = d <= radius
    f = 2 * p * q.U_if(not inside)
    u2 = q.U_if(not inside)
    if inside:
        return flat(q.w * q.x, q.w * q.y)
    i = trunc(f)
    u = (f - i) * side
    v = sqrt(1 + u * u - 2 * u * cos(be))
    within = asin(clamp(u * sin(be) / nz(v), -1, 1))
    a = 2 * q.pi / nz(p) * trunc(i / 2) + (-within if i % 2 == 0 else within)
    k = v * sqrt(u2) * blur / 10 * power(d - radius, e)
    return flat(q.w * (q.x + k * cos(a - PI / 2)), q.w * (q.y + k * sin(a - PI / 2)))


# ---- cells ----

@plugin('bwraps', 'bwraps_cellsize=1 bwraps_space=0 bwraps_gain=1 bwraps_inner_twist=0 bwraps_outer_twist=0')
def bwraps(q):
    cell, space, gain, inner, outer = q.v
    radius = 0.5 * cell / (1 + space * space)
    g = gain * gain + 1e-6
    m = g * radius
    m = 1.0 if m > 2 else m / (m * m / 4 + 1)
    q2, f = nz(radius * radius), div(radius, m)
    if cell == 0:
        return weighed(q, q.x, q.y)
    cx, cy = (floor(q.x / cell) + 0.5) * cell, (floor(q.y / cell) + 0.5) * cell
    lx, ly = q.x - cx, q.y - cy
    if lx * lx + ly * ly > q2:
        return weighed(q, q.x, q.y)
    lx, ly = lx * g, ly * g
    s = f / nz((lx * lx + ly * ly) / 4 + 1)
    lx, ly = lx * s, ly * s
    t = (lx * lx + ly * ly) / q2
    a = inner * (1 - t) + outer * t
    return weighed(q, cx + lx * cos(a) + ly * sin(a), cy - lx * sin(a) + ly * cos(a))


@plugin('gnarly', 'gnarly_cellsize=1 gnarly_twist=1')
def gnarly(q):
    cell, twist = q.v
    if cell == 0:
        return flat(q.w * q.x, q.w * q.y)
    cx, cy = (floor(q.x / cell) + 0.5) * cell, (floor(q.y / cell) + 0.5) * cell
    lx, ly = q.x - cx, q.y - cy
    u = (lx * lx + ly * ly) / nz(cell * cell / 4)
    if u > 1:
        return flat(q.w * q.x, q.w * q.y)
    t = twist * ln(u)
    return flat(q.w * (cx + lx * cos(t) + ly * sin(t)), q.w * (cy - lx * sin(t) + ly * cos(t)))


def shredded(t, d, v):
    d, v = nz(d), clamp(v, -1, 1)
    n = trunc(t / d)
    return d * ((t / d - n) * v + n + (1 - v) * (-0.5 if t < 0 else 0.5))


@plugin('shredlin', 'shredlin_xdistance=1 shredlin_xwidth=0.5 shredlin_ydistance=1 shredlin_ywidth=0.5')
def shredlin(q):
    return weighed(q, shredded(q.x, q.v[0], q.v[1]), shredded(q.y, q.v[2], q.v[3]))


@plugin('hexes', 'hexes_cellsize=1 hexes_power=1 hexes_rotate=0.166 hexes_scale=1')
def hexes(q):
    cell, p, rotate, scale = q.v
    if cell == 0:
        return flat(0.0, 0.0)
    root3 = math.sqrt(3)
    middle = lambda i, j: (1.5 * cell * (i - j), root3 / 2 * cell * (i + j))
    i0, j0 = floor((q.x + root3 * q.y) / (3 * cell)), floor((-q.x + root3 * q.y) / (3 * cell))
    at = min(((i0 + i, j0 + j) for i in (0, 1) for j in (0, 1)),
             key=lambda c: (q.x - middle(*c)[0])**2 + (q.y - middle(*c)[1])**2)
    px, py = middle(*at)

    def coordinate(ux, uy):
        around = [middle(*n) for n in ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))]
        return max(2 * (ux * dx + uy * dy) / (dx * dx + dy * dy) for dx, dy in around)
    ux, uy = q.x - px, q.y - py
    L1 = coordinate(ux, uy)
    t = power(abs(L1), p) * scale
    a = 2 * PI * rotate
    dx, dy = ux * cos(a) + uy * sin(a), -ux * sin(a) + uy * cos(a)
    L2 = coordinate(dx, dy)
    L = max(L1, L2)
    if L < 0.5:
        f = div(t, L1)
    elif L > 0.8:
        f = div(t, L2)
    else:
        f = (div(t, L1) * (0.8 - L) + div(t, L2) * (L - 0.5)) / 0.3
    return flat(q.w * (px + dx * f), q.w * (py + dy * f))


def hashed(n):
    n &= 0xFFFFFFFF
    n = ((n << 13) ^ n) & 0xFFFFFFFF
    return ((n * (n * n * 15731 + 789221) + 1376312589) & 0x7FFFFFFF) / 2147483647


@plugin('Voron', 'Voron_K=0.99 Voron_Step=0.25 Voron_Num=1 Voron_XSeed=3 Voron_YSeed=7')
def voron(q):
    k, step, most, xs, ys = q.v
    step, most, xs, ys = nz(step), clamp(whole(most), 1, 25), int(whole(xs)), int(whole(ys))
    if not math.isfinite(q.x / step) or not math.isfinite(q.y / step):
        return flat(NAN, NAN)
    m, n = int(floor(q.x / step)), int(floor(q.y / step))
    best, cx, cy = 20.0, 0.0, 0.0
    for M in (m - 1, m, m + 1):
        for N in (n - 1, n, n + 1):
            for l in range(1 + int(most * hashed(19 * M + 257 * N + xs))):
                x = (hashed(l + 64 * M + 15 * N + xs) + M) * step
                y = (hashed(l + 21 * M + 33 * N + ys) + N) * step
                d = sqrt((q.x - x)**2 + (q.y - y)**2)
                if d < best:
                    best, cx, cy = d, x, y
    return flat(q.w * (k * (q.x - cx) + cx), q.w * (k * (q.y - cy) + cy))


def mixed(h):
    h = (h ^ h >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    h = (h ^ h >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return h ^ h >> 15


def crackle_shift(i, j, z):
    """Noise of kiln's own: a hash in place of Ember's tables."""
    draw = lambda h: 0.72 * (((h & 0xFFFF) + (h >> 16)) / 65536 - 1)
    layer = floor(z)
    total = [0.0, 0.0]
    for k, share in ((layer, cos(PI / 2 * (z - layer))), (layer + 1, sin(PI / 2 * (z - layer)))):
        mask = 0xFFFFFFFF
        h = mixed((int(i) * 0x8DA6B343 & mask) ^ (int(j) * 0xD8163841 & mask) ^ (int(k) * 0xCB1AB31F & mask))
        total[0] += share * draw(h)
        total[1] += share * draw(mixed(h + 1 & mask))
    return total


@plugin('crackle', 'crackle_cellsize=1 crackle_power=0.2 crackle_distort=0 crackle_scale=1 crackle_z=0')
def crackle(q):
    cell, p, distort, scale, z = q.v
    h = nz(abs(max(cell, 0.0001)) / 2)
    b = (q.U() + q.U()) / 2 + (q.U() - 0.5) / 4
    a = 2 * PI * q.U()
    x, y = b * sin(a), b * cos(a)
    around = lambda i, j: [(i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]

    def middle(i, j):
        dx, dy = crackle_shift(i, j, 2.5 * z) if distort != 0 else (0.0, 0.0)
        return h * (i + distort * dx), h * (j + distort * dy)
    at = min(around(floor(x / h), floor(y / h)), key=lambda c: (x - middle(*c)[0])**2 + (y - middle(*c)[1])**2)
    px, py = middle(*at)

    def border(other):
        dx, dy = middle(*other)[0] - px, middle(*other)[1] - py
        return 2 * ((x - px) * dx + (y - py) * dy) / nz(dx * dx + dy * dy)
    L = max(border(other) for other in around(*at) if other != at)
    f = power(abs(nz(L)), p) * scale / nz(L)
    return flat(q.w * (px + (x - px) * f), q.w * (py + (y - py) * f))


# ---- maps of the complex plane ----

@plugin('glynnia')
def glynnia(q):
    k = 1.0 if q.r2 > 1 else -1.0
    direct = q.U() < 0.5
    # r + x without its cancellation, which double has as well
    t = sqrt(q.r + q.x) if q.x >= 0 else abs(q.y) / sqrt(q.r - q.x)
    v = q.w / math.sqrt(2) / (1 if direct else nz(q.r))
    return flat(v * k * t, (-v if direct else v) * q.y / nz(t))


@plugin('twoface')
def twoface(q):
    s = q.w / q.r2 if q.x > 0 else q.w
    return flat(s * q.x, s * q.y)


@plugin('unpolar')
def unpolar(q):
    s = q.w / (2 * q.pi) * exp(q.y)
    return flat(s * sin(q.x), s * cos(q.x))


def tile_shift(p, around):
    c = cos(2 * PI / nz(p))
    q2 = 1 + div(1 - c, c + cos(2 * PI / nz(around)))
    return 1 / sqrt(q2) if q2 > 0 else 1.0


def tile_turn(q, p):
    n, p = q.K(32767), nz(p)
    return 2 * PI * (n - p * floor(n / p)) / p  # without the whole turns, which double rounds as well


def shifted(q, re, im, guard):
    a, b, c, d = q.x + re, q.y - im, re * q.x - im * q.y + 1, re * q.y + im * q.x
    s = div(q.w, guard(c * c + d * d))
    return s * (a * c + b * d), s * (b * c - a * d)


@plugin('hypertile', 'hypertile_p=3 hypertile_q=7 hypertile_n=0')
def hypertile(q):
    p, around, n = q.v
    re, im = polar(tile_shift(p, around), n * 2 * PI / nz(p))
    return flat(*shifted(q, re, im, lambda t: t))


@plugin('hypertile1', 'hypertile1_p=3 hypertile1_q=7')
def hypertile1(q):
    p, around = q.v
    re, im = polar(tile_shift(p, around), tile_turn(q, p))
    return flat(*shifted(q, re, im, nz))


@plugin('hypertile2', 'hypertile2_p=3 hypertile2_q=7')
def hypertile2(q):
    p, around = q.v
    u, v = shifted(q, tile_shift(p, around), 0.0, nz)
    t = tile_turn(q, p)
    return flat(u * cos(t) + v * sin(t), v * cos(t) - u * sin(t))


@plugin('hypertile3D2', 'hypertile3D2_p=3 hypertile3D2_q=7')
def hypertile3d2(q):
    p, around = max(whole(q.v[0]), 3), max(whole(q.v[1]), 3)
    c = cos(2 * PI / p)
    more_than_1 = (1 - c) / nz(c + cos(2 * PI / around))
    c = 1 / sqrt(1 + more_than_1) if more_than_1 > 0 else 1.0
    x1, y1 = q.x * (1 + c * c) + c * (q.R3 + 1), q.y * (1 - c * c)
    s = div(q.w, c * c * q.R3 + 2 * c * q.x + 1)
    a = tile_turn(q, p)
    return s * (x1 * cos(a) + y1 * sin(a)), s * (y1 * cos(a) - x1 * sin(a)), s * q.z * (1 - c * c)


@plugin('bTransform', 'bTransform_rotate=0 bTransform_power=0 bTransform_move=0 bTransform_split=0')
def b_transform(q):
    rotate, p, move, split = q.v
    p = max(p, 1.0)
    tau = (ln((q.x + 1)**2 + q.y * q.y) - ln((q.x - 1)**2 + q.y * q.y)) / (2 * p) + move
    sigma = q.pi - q.atan2(q.y, q.x + 1) - q.atan2(q.y, 1 - q.x) + rotate
    sigma = sigma / p + 2 * q.pi / p * floor(q.U() * p)
    tau += split if q.x >= 0 else -split
    d = nz(cosh(tau) - cos(sigma))
    return flat(div(q.w * sinh(tau), d), div(q.w * sin(sigma), d))


@plugin('eJulia', 'eJulia_power=2')
def e_julia(q):
    p = julia_power(q.v[0])
    u, x = (q.r2, q.x) if p > 0 else (1 / nz(q.r2), q.x / nz(q.r2))
    m = max(1.0, (sqrt(max(u + 1 + 2 * x, 0.0)) + sqrt(max(u + 1 - 2 * x, 0.0))) / 2)
    if not math.isfinite(m):
        return flat(NAN, NAN)
    mu = math.acosh(m) / p
    nu = acos(clamp(x / m, -1, 1)) * q._angle
    nu = (-nu if q.y < 0 else nu) / p + 2 * q.pi / p * floor(q.U() * p)
    return flat(q.w * cosh(mu) * cos(nu), q.w * sinh(mu) * sin(nu))


@plugin('pow_block', 'pow_block_numerator=3 pow_block_denominator=2 pow_block_root=1 pow_block_correctn=1 pow_block_correctd=1')
def pow_block(q):
    n, d, root, cn, cd = q.v
    e = n / nz(d * div(cn, cd))
    a = (q.phi / nz(d) + root * 2 * q.pi * floor(q.U() * d) / nz(d)) * n
    return flat(*polar(q.w * power(q.r2, e / 2), a))


@plugin('barycentroid', 'barycentroid_a=1 barycentroid_b=0 barycentroid_c=0 barycentroid_d=1')
def barycentroid(q):
    a, b, c, d = q.v
    A, M, P, C, Q = a * a + b * b, a * c + b * d, a * q.x + b * q.y, c * c + d * d, c * q.x + d * q.y
    k = 1 / nz(A * C - M * M)
    u, v = (C * P - M * Q) * k, (A * Q - M * P) * k
    side = lambda t: float((t > 0) - (t < 0))
    return weighed(q, side(u) * sqrt(u * u + q.x * q.x), side(v) * sqrt(v * v + q.y * q.y))


@plugin('wdisc')
def wdisc(q):
    a, u = PI / (q.r + 1), q.phi / q.pi
    if u > 0:
        a = PI - a
    return flat(q.w * u * cos(a), q.w * u * sin(a))


@plugin('epispiral', 'epispiral_n=6 epispiral_thickness=0 epispiral_holes=1')
def epispiral(q):
    n, thickness, holes = q.v
    even = thickness * q.w == 0
    u = q.U_if(not even)
    t = div(q.w if even else thickness * q.w * u, cos(n * q.phi)) - holes * q.w
    return flat(*polar(t, q.phi)) if t != 0 else flat(0.0, 0.0)


# ---- crops ----

@plugin('crop', 'crop_left=-1 crop_top=-1 crop_right=1 crop_bottom=1 crop_scatter_area=0 crop_zero=0')
def crop(q):
    left, top, right, bottom, area, zero = q.v
    (x0, x1), (y0, y1) = sorted((left, right)), sorted((top, bottom))
    out_x, out_y = q.x < x0 or q.x > x1, q.y < y0 or q.y > y1
    gone = (out_x or out_y) and zero >= 0.5
    u, v = q.U_if(out_x and not gone), q.U_if(out_y and not gone)
    if gone:
        return weighed(q, 0.0, 0.0)
    sw, sh = area * (x1 - x0) / 2, area * (y1 - y0) / 2
    x = x0 + u * sw if q.x < x0 else x1 - u * sw if q.x > x1 else q.x
    y = y0 + v * sh if q.y < y0 else y1 - v * sh if q.y > y1 else q.y
    return weighed(q, x, y)


@plugin('circlecrop', 'circlecrop_radius=1 circlecrop_x=0 circlecrop_y=0 circlecrop_scatter_area=0 circlecrop_zero=1')
def circlecrop(q):
    radius, px, py, area, zero = q.v
    u, v = q.x - px, q.y - py
    far = sqrt(u * u + v * v)
    k = radius + 0.5 * q.U() * clamp(area, -1, 1)
    if far > radius:
        if trunc(clamp(zero, 0, 1)) != 0:
            return 0.0, 0.0, q.z
        return q.w * k * u / far + px, q.w * k * v / far + py, q.z
    return q.w * u + px, q.w * v + py, q.z


@plugin('cropn', 'cropn_power=5 cropn_radius=1 cropn_scatterdist=0 cropn_zero=0')
def cropn(q):
    p, radius, scatter, zero = q.v
    al = 2 * q.pi / max(2.0, abs(p))
    d = fmod(q.phi + q.pi, al)
    c = cos(d if d < al / 2 else al - d)
    border = radius / nz(c) if c > 0 else 1.0
    cropped = (q.r2 > border * border) == (p > 0)
    u = q.U_if(cropped and zero != 1)
    if not cropped:
        return flat(q.w * q.x, q.w * q.y)
    if zero == 1:
        return flat(0.0, 0.0)
    s = q.w * (border + 0.5 * u * scatter) / nz(q.r)
    return flat(s * q.x, s * q.y)


@plugin('bcircle', 'bcircle_scale=1 bcircle_borderwidth=0')
def bcircle(q):
    scale, width = q.v
    u, v = q.x * scale, q.y * scale
    square = u * u + v * v
    draw = q.U_if(square > 1 and width != 0)
    if square <= 1:
        return flat(q.w * u, q.w * v)
    if width == 0:
        return flat(0.0, 0.0)
    k = q.w * (1 + 0.2 * abs(width) * draw) / sqrt(square)
    return flat(k * u, k * v)


@plugin('smartshape', 'smartshape_power=4 smartshape_roundstr=0 smartshape_roundwidth=1 smartshape_distortion=1'
      ' smartshape_compensation=0')
def smartshape(q):
    p, roundstr, roundwidth, distortion, compensation = q.v
    p, compensation = max(p, 2.0), clamp(compensation, 0, 1)
    al = 2 * q.pi / p
    d = (q.phi + q.pi) / al
    z0 = floor(d)
    g, sg = d - z0, 1.0
    if g > 0.5:
        g, z0, sg = 1 - g, z0 + 1, -1.0
    if compensation > 0 and distortion >= 1:
        g = math.atan(2 * g * tan(al / 2)) / al
    k = 1.0 if distortion == 0 else 1 / cos(g * al)
    if roundstr != 0:
        v = power(2 * g, roundwidth) * 2 * roundstr / (sin(al / 2) * p)
        k = abs((1 - v) * k + v)
    if distortion != 1:
        k = power(k, distortion)
    return flat(*polar(q.w * k * q.r, (z0 + sg * g) * al - q.pi))


@plugin('smartcrop', 'smartcrop_power=4 smartcrop_radius=1 smartcrop_roundstr=0 smartcrop_roundwidth=1 smartcrop_distortion=1'
      ' smartcrop_edge=0 smartcrop_scatter=0 smartcrop_offset=0 smartcrop_rotation=0 smartcrop_cropmode=1 smartcrop_static=1')
def smartcrop(q):
    p, radius, roundstr, roundwidth, distortion, edge, scatter, offset, rotation, mode, static = q.v
    mode, static = whole(clamp(mode, -1, 2)), whole(clamp(static, -1, 3))
    running = (q.x, q.y, q.z)
    at = running if static > 1 else q.before
    add = lambda d: tuple(a + b for a, b in zip(running, d))
    put = lambda d: tuple(d) if static > 1 or static == -1 else add(d)
    polarity = (p > 0) == (radius > 0)
    R, P = abs(radius), abs(nz(p))
    angle, rad = q.atan2(at[1], at[0]), sqrt(at[0]**2 + at[1]**2)
    if P < 2:
        P *= q.pi
        e = edge * q.H()
        xa = angle / (2 * q.pi) + 1 + e
        xa = 2 * q.pi * (xa - trunc(xa))
        cropped = (xa > P) == polarity
        u2, u3 = q.U_if(cropped and mode != 2), q.U_if(cropped and mode != 2)
        away = q.pi * (u3 * scatter + offset + e)
        t = P + away if u2 >= 0.5 else -away
        to = (0.0, 0.0, 0.0) if mode == 2 else (*polar(q.w * rad, t), q.w * at[2])
    else:
        al = 2 * q.pi / P
        d = (angle + q.pi) / al
        g = d - trunc(d)
        g = min(g, 1 - g)
        k = 1.0 if distortion == 0 else 1 / cos(g * al)
        if roundstr != 0 and distortion != 0:
            v = 2 * roundstr / (nz(sin(al / 2)) * P) * power(2 * g, roundwidth)
            k = abs((1 - v) * k + v)
        if distortion not in (0, 1):
            k = power(k, distortion)
        u1 = q.U_if(edge != 0)
        border = k * (R + (edge * (u1 - 0.5) if edge != 0 else 0.0))
        cropped = (rad > border) == polarity
        u = q.U_if(cropped and mode == 1)
        far = rad if mode == -1 else border + k * (u * scatter + offset)
        to = (0.0, 0.0, 0.0) if mode in (0, 2) else (*polar(q.w * far, angle + rotation * al), q.w * at[2])
    if cropped:
        return put(to)
    kept = tuple(q.w * t for t in (q.before if static == 3 else at))
    return kept if static > 0 else add(kept)


# ---- falloffs ----

def falloff_strength(distance, least, scatter, invert):
    return max(0.04 * scatter * ((max(1 - distance, 0.0) if invert else distance) - least), 0.0)


def falloff_linear(q, h, by): return tuple(q.w * (t + b * u) for t, b, u in zip((q.x, q.y, q.z), by, h))


def falloff_radial(q, h, by, radius):
    rho, a = radius + by[0] * h[0], q.phi + by[1] * h[1]
    b = (asin(clamp(q.z / radius, -1, 1)) if radius != 0 else 0.0) + by[2] * h[2]
    return q.w * rho * cos(b) * cos(a), q.w * rho * cos(b) * sin(a), q.w * rho * sin(b)


def falloff_round(q, h, times, s):
    b, a, far = 2 * PI * s * h[1], PI * s * h[2], s * h[0]
    return (q.w * (q.x + times[0] * far * cos(b) * cos(a)), q.w * (q.y + times[1] * far * cos(b) * sin(a)),
            q.w * (q.z + times[2] * far * sin(b)))


@plugin('falloff', 'falloff_scatter=1 falloff_mindist=0.5 falloff_mul_x=1 falloff_mul_y=1 falloff_mul_z=0 falloff_x0=0'
      ' falloff_y0=0 falloff_z0=0 falloff_invert=0 falloff_type=0 falloff_boxpow=2')
def falloff(q):
    scatter, least, mx, my, mz, x0, y0, z0, invert, kind, boxpow = q.v
    h = [q.H(), q.H(), q.H()]
    times = [clamp(m, 0, 1) for m in (mx, my, mz)]
    d0 = sqrt((q.x - x0)**2 + (q.y - y0)**2 + (q.z - z0)**2)
    s = falloff_strength(d0, max(least, 0), max(scatter, EPS), invert >= 0.5)
    kind, boxpow = clamp(whole(kind), 0, 2), int(clamp(whole(boxpow), 2, 32))
    by = [m * s for m in times]
    if kind == 0:
        return falloff_linear(q, h, by)
    if kind == 1:
        return falloff_radial(q, h, by, d0)
    c = clamp(s, 0, 0.9) + 0.1
    return tuple(q.w * ((1 - m * s) * t + m * s * (floor(t / c) + c * u)) + m * u**boxpow * s / c
                 for t, m, u in zip((q.x, q.y, q.z), times, h))


def colored(q, shift): return abs(fmod(q.color + shift, 1.0))


@plugin('falloff2', 'falloff2_scatter=1 falloff2_mindist=0.5 falloff2_mul_x=1 falloff2_mul_y=1 falloff2_mul_z=0 falloff2_mul_c=0'
      ' falloff2_x0=0 falloff2_y0=0 falloff2_z0=0 falloff2_invert=0 falloff2_type=0')
def falloff2(q):
    scatter, least, mx, my, mz, mc, x0, y0, z0, invert, kind = q.v
    h = [q.H(), q.H(), q.H(), q.H()]
    if q.reversed_draws:
        h.reverse()
    times = (mx, my, mz)
    d = sqrt((q.x - x0)**2 + (q.y - y0)**2 + (q.z - z0)**2)
    s = falloff_strength(d, least, scatter, invert != 0)
    by = [m * s for m in times]
    kind = trunc(clamp(kind, 0, 2))
    if kind == 1 and q.R3 == 0:
        return q.w * q.x, q.w * q.y, q.w * q.z, q.color
    if kind == 0:
        to = falloff_linear(q, h, by)
    elif kind == 1:
        to = falloff_radial(q, h, by, nz(sqrt(q.R3)))
    else:
        to = falloff_round(q, h, times, s)
    return (*to, colored(q, mc * h[3] * s))


Place.reversed_draws = False  # Ember's build draws the last one first


@plugin('falloff3', 'falloff3_blur_type=0 falloff3_blur_shape=0 falloff3_blur_strength=1 falloff3_min_distance=0.5'
      ' falloff3_invert_distance=0 falloff3_mul_x=1 falloff3_mul_y=1 falloff3_mul_z=0 falloff3_mul_c=0 falloff3_center_x=0'
      ' falloff3_center_y=0 falloff3_center_z=0 falloff3_alpha=0')
def falloff3(q):
    kind, shape, strength, least, invert, mx, my, mz, mc, cx, cy, cz, alpha = q.v
    h = [q.H(), q.H(), q.H(), q.H()]
    if q.reversed_draws:
        h.reverse()
    kind, strength, least = clamp(whole(kind), 0, 3), max(strength, EPS), max(least, 0.0)
    mx, my, mz, mc = (clamp(m, 0, 1) for m in (mx, my, mz, mc))
    away = (q.x - cx, q.y - cy, q.z - cz)
    d = max(map(abs, away)) if whole(clamp(shape, 0, 1)) else sqrt(sum(t * t for t in away))
    s = falloff_strength(d, least, strength, invert >= 0.5)
    if kind == 1 and q.R3 == 0:
        return q.w * q.x, q.w * q.y, q.w * q.z, q.color
    if kind == 0:
        return (*falloff_round(q, h, (mx, my, mz), s), colored(q, mc * h[3] * s))
    if kind == 1:
        return (*falloff_radial(q, h, [m * s for m in (mx, my, mz)], nz(sqrt(q.R3))), colored(q, mc * h[3] * s))
    lm = lambda t: 0.0 if t == 0 else (math.e + ln(math.e * t)) / 4
    ls = lambda t: 0.0 if t == 0 else math.copysign(ln(math.e * (abs(t) + 1)) / math.e, t)
    k = s if 0.04 * strength <= EPS else s + alpha * (lm(s) - s)
    to = falloff_linear(q, [ls(u) for u in h], [lm(m) * k for m in (mx, my, mz)])
    return (*to, colored(q, lm(mc) * ls(h[3]) * k))


# ---- shapes ----

@plugin('nBlur', 'nBlur_numEdges=3 nBlur_numStripes=0 nBlur_ratioStripes=1 nBlur_ratioHole=0 nBlur_circumCircle=0'
      ' nBlur_adjustToLinear=1 nBlur_equalBlur=1 nBlur_exactCalc=0 nBlur_highlightEdges=1')
def n_blur(q):
    edges, stripes, rho, hole, circum, adjust, equal, exact, highlight = q.v
    n, stripes = max(3.0, whole(edges)), whole(stripes)
    rho, hole = clamp(rho, 0, 2), clamp(hole, 0, 1)
    circum, adjust, equal, exact = (t >= 0.5 for t in (circum, adjust, equal, exact))
    highlight = max(highlight, 0.1)
    if circum:
        exact, highlight = False, 0.1
    if exact:
        hole = min(hole, 0.95)
    mid = 2 * PI / n
    A = highlight * (7.5 if stripes < 0 else 13) / n**1.3
    Bt, T = 2 * math.atan(-A / 2), tan(PI / 2 + mid / 2)
    across = n / 2 - 1 if n % 4 == 0 else floor(n / 2)
    w = q.w / nz(sqrt(2 - 2 * cos(mid * across)) / 2) if adjust else q.w
    radius = lambda: sqrt(q.U()) if equal else q.U()
    for _ in range(32):
        if exact:
            a = 2 * PI * q.U()
            if not q.sparing:
                q.U()
        else:
            a = mid * (math.atan(A * (q.U() - 0.5)) / Bt + 0.5 + q.K(n))
        b = a
        while b > mid:
            b -= mid
        if stripes != 0:
            st, last = mid / (2 * abs(stripes)), 2 * abs(stripes)
            c = sum(1 for j in range(int(last)) if b > st / 2 + j * st)
            t = c * st
            if (c % 2 == 1) != (stripes < 0):
                up = b > t and c != last
                shift = st if up else -st
                a, b, t = a + shift / 2, b + shift / 2, t + shift
            o = b - t
            share = 2 - rho if stripes < 0 else rho
            edge = share * st / 2
            o2 = o
            if share > 1:
                o2 = share * o
            elif share < 1 and abs(o) > edge:
                o2 = math.copysign((abs(o) - edge) * edge / (st / 2 - edge), o)
            a, b = a + o2 - o, t + o2
        out = abs(T / (T - tan(b))) * sqrt(1 + tan(b)**2)
        inner = hole * out
        u = radius()
        if exact:
            if inner <= u <= out:
                break
            continue
        if not circum:
            u *= out
        if u < inner:
            u = inner + q.U() * ((1 - inner + EPS) if circum else (out - inner))
        break
    x, y, h = u * sin(a), u * cos(a), mid / 2
    return flat(w * (x * cos(h) - y * sin(h)), w * (x * sin(h) + y * cos(h)))


@plugin('y', 'y_hypergon=0 y_hypergon_n=4 y_hypergon_r=1 y_star=0 y_star_n=5 y_star_slope=%r y_lituus=0 y_lituus_a=1 y_super=0'
      ' y_super_m=1 y_super_n1=1 y_super_n2=1 y_super_n3=1' % (PI / 2))
def y_curves(q):
    hyp, hn, hr, star, sn, slope, lit, la, sup, m, n1, n2, n3 = q.v
    a, T = q.phi, 0.0
    hn, sn, slope = max(3, whole(hn)), max(3, whole(sn)), clamp(slope, EPS, PI / 2)
    if hyp != 0:
        v = tan(fmod(abs(a), 2 * PI / hn) - PI / hn)**2 + 1
        D = sqrt(1 + hr * hr)
        T += hyp if v >= D * D else hyp * (D - sqrt(D * D - v)) / sqrt(v)
    if star != 0:
        u = tan(abs(fmod(abs(a), 2 * PI / sn) - PI / sn))
        s = tan(slope - 0.05 if PI / 2 - slope < 1e-6 else slope)
        T += star * sqrt(s * s * (1 + u * u) / (u + s)**2)
    if lit != 0:
        T += lit * power(abs(a / PI + 1), -la)
    if sup != 0:
        T += sup * power(power(abs(cos(a * m / 4)), n2) + power(abs(sin(a * m / 4)), n3), -1 / nz(n1))
    s = div(q.w * T * T, q.r)
    return flat(s * cos(a), s * sin(a))


# ---- the same names, other meanings ----

def ember_functions(*functions):
    """name, times pi what x and y are taken, what is above the line, and what is below it: a factor over a sum."""
    for name, factor, above, below in functions:
        def formula(q, factor=factor, above=above, below=below):
            x, y = q.x * q.pi * factor, q.y * q.pi * factor
            s = q.w if below is None else div(q.w * below[0], nz(below[1](x, y)))
            u, v = above(x, y)
            return flat(s * u, s * v)
        plugin('ember_' + name)(formula)


ember_functions(('sin', 1 / 2, lambda x, y: (sin(x) * cosh(y), cos(x) * sinh(y)), None),
                ('cos', 1 / 2, lambda x, y: (cos(x) * cosh(y), -sin(x) * sinh(y)), None),
                ('tan', 1 / 2, lambda x, y: (sin(x), sinh(y)), (1, lambda x, y: cos(x) + cosh(y))),
                ('sec', 1, lambda x, y: (cos(x) * cosh(y), sin(x) * sinh(y)), (2, lambda x, y: cos(2 * x) + cosh(2 * y))),
                ('csc', 1 / 2, lambda x, y: (sin(x) * cosh(y), cos(x) * sinh(y)), (2, lambda x, y: cosh(2 * y) - cos(2 * x))),
                ('cot', 1 / 2, lambda x, y: (sin(x), sinh(y)), (1, lambda x, y: cosh(y) - cos(x))),
                ('sinh', 1 / 4, lambda x, y: (sinh(x) * cos(y), cosh(x) * sin(y)), None),
                ('cosh', 1 / 2, lambda x, y: (cosh(x) * cos(y), sinh(x) * sin(y)), None),
                ('tanh', 1 / 2, lambda x, y: (sinh(x), sin(y)), (1, lambda x, y: cos(y) + cosh(x))),
                ('sech', 1 / 4, lambda x, y: (cos(y) * cosh(x), sin(y) * sinh(x)), (2, lambda x, y: cos(2 * y) + cosh(2 * x))),
                ('csch', 1 / 4, lambda x, y: (sinh(x) * cos(y), cosh(x) * sin(y)), (2, lambda x, y: cosh(2 * x) - cos(2 * y))),
                ('coth', 1 / 2, lambda x, y: (sinh(x), sin(y)), (1, lambda x, y: cosh(x) - cos(y))))


@plugin('ember_cross')
def ember_cross(q):
    s = div(q.w, nz(q.x * q.x - q.y * q.y))
    return s * q.x, s * q.y, q.w * q.z


@plugin('ember_fan2', 'ember_fan2_x=0.70710678 ember_fan2_y=-0.70710678')
def ember_fan2(q):
    d = q.pi * nz(q.v[0] * q.v[0])
    a = q.theta - d / 2 if fmod(q.theta + q.v[1], d) > d / 2 else q.theta + d / 2
    return weighed(q, *polar(q.r, a))


@plugin('ember_curve', 'ember_curve_xamp=0 ember_curve_yamp=0 ember_curve_xlength=1 ember_curve_ylength=1')
def ember_curve(q):
    xamp, yamp, xlength, ylength = q.v
    return flat(q.w * (q.x + xamp * exp(-q.y * q.y / nz(xlength))), q.w * (q.y + yamp * exp(-q.x * q.x / nz(ylength))))


@plugin('ember_edisc')
def ember_edisc(q):
    t = q.r2 + 1
    m = (sqrt(t + 2 * q.x) + sqrt(t - 2 * q.x)) / 2
    a1 = ln(m + sqrt(m - 1))
    a2 = acos(q.x / m)
    s, c = sin(a1), cos(a1)
    if q.y > 0:
        s = -s
    k = q.w / 11.57034632
    return flat(k * cosh(a2) * c, k * sinh(a2) * s)


@plugin('ember_escher', 'ember_escher_beta=3')
def ember_escher(q):
    c, d = (1 + cos(q.v[0])) / 2, sin(q.v[0]) / 2
    a, lnr = q.theta, ln(q.r2) / 2
    return weighed(q, *polar(exp(c * lnr - d * a), c * a + d * lnr))


@plugin('ember_juliascope', 'ember_juliascope_power=1 ember_juliascope_dist=1')
def ember_juliascope(q):
    p, dist = q.v
    k = floor(p * q.U())
    a = (2 * PI * k + (-q.phi if k % 2 else q.phi)) / p
    return weighed(q, *polar(power(q.r2, dist / p / 2), a))


@plugin('ember_lazysusan', 'ember_lazysusan_spin=%r ember_lazysusan_space=0 ember_lazysusan_twist=0 ember_lazysusan_x=0'
      ' ember_lazysusan_y=0' % PI)
def ember_lazysusan(q):
    spin, space, twist, px, py = q.v
    u, v = q.x - px, q.y + py
    r = sqrt(u * u + v * v)
    if r < q.w:
        x, y = polar(r, q.atan2(v, u) + spin + twist * (q.w - r))
    else:
        k = 1 + div(space, r)
        x, y = k * u, k * v
    return weighed(q, x + px, y - py)


@plugin('logn', 'logn_base=%r' % math.e)
def logn(q): return weighed(q, div(ln(q.r2), 2 * ln(max(q.v[0], EPS))), q.phi)


@plugin('waves2z', 'waves2z_freqx=2 waves2z_scalex=0 waves2z_freqy=2 waves2z_scaley=0 waves2z_freqz=0 waves2z_scalez=0')
def waves2z(q):
    fx, sx, fy, sy, fz, sz = q.v
    return weighed(q, q.x + sx * sin(q.y * fx), q.y + sy * sin(q.x * fy))[:2] + (q.w * (q.z + sz * sin(fz * q.r)),)


# ---- Apophysis 7X, of which there are no numbers to compare with ----

@plugin('apophysis_bubble')
def apophysis_bubble(q):
    s = q.w / (q.r2 / 4 + 1)
    return s * q.x, s * q.y, q.w * (2 / (q.r2 / 4 + 1) - 1)


@plugin('apophysis_blur_zoom', 'apophysis_blur_zoom_length=0 apophysis_blur_zoom_x=0 apophysis_blur_zoom_y=0')
def apophysis_blur_zoom(q):
    length, px, py = q.v
    k = 1 + length * q.U()
    return weighed(q, (q.x - px) * k + px, (q.y - py) * k - py)


@plugin('apophysis_falloff2', ' '.join('apophysis_falloff2_' + p for p in (
    'scatter=1', 'mindist=0.5', 'mul_x=1', 'mul_y=1', 'mul_z=0', 'mul_c=0', 'x0=0', 'y0=0', 'z0=0', 'invert=0', 'type=0')))
def apophysis_falloff2(q):
    scatter, mindist, mx, my, mz, mc, x0, y0, z0, invert, kind = q.v
    h1, h2, h3, h4 = q.U(), q.U(), q.U(), q.U()
    d = sqrt((q.x - x0)**2 + (q.y - y0)**2 + (q.z - z0)**2)
    if invert != 0:
        d = max(1 - d, 0.0)
    s = max(0.04 * scatter * (d - mindist), 0.0)
    kind = trunc(clamp(kind, 0, 2))
    color = abs(fmod(q.color + mc * h4 * s, 1))
    if kind == 0:
        return q.w * (q.x + mx * h1 * s), q.w * (q.y + my * h2 * s), q.w * (q.z + mz * h3 * s), color
    if kind == 1:
        r = sqrt(q.R3) + 1e-6
        rho, a, b = r + mx * h1 * s, q.phi + my * h2 * s, asin(q.z / r) + mz * h3 * s
        return q.w * rho * cos(b) * cos(a), q.w * rho * cos(b) * sin(a), q.w * sin(b), color
    b, a, t = 2 * PI * s * h2, PI * s * h3, s * h1
    return (q.w * (q.x + mx * t * cos(b) * cos(a)), q.w * (q.y + my * t * cos(b) * sin(a)),
            q.w * (q.z + mz * t * sin(b)), color)


@plugin('apophysis_zscale', form='depth')
def apophysis_zscale(q): return 0.0, 0.0, q.w * q.z


@plugin('ember_circlecrop', ' '.join('ember_circlecrop_' + p for p in ('radius=1', 'x=0', 'y=0', 'scatter_area=0', 'zero=1')))
def ember_circlecrop(q): return circlecrop(q)


@plugin('apophysis_gaussian_blur', form='sum')
def apophysis_gaussian_blur(q):
    turn = q.U()
    return flat(*polar(q.w * q.gauss(), 2 * PI * turn))


@plugin('apophysis_crop', ' '.join('apophysis_crop_' + p for p in (
    'left=-1', 'top=-1', 'right=1', 'bottom=1', 'scatter_area=0', 'zero=0')))
def apophysis_crop(q): return crop(q)


# ---- published maps: each from its source, which stands in kernels/variations/plugin_maps.txt ----

@plugin('clifford_js', 'clifford_js_a=-1.4 clifford_js_b=1.6 clifford_js_c=1 clifford_js_d=0.7')
def clifford_js(q):
    a, b, c, d = q.v
    return flat(q.w * (sin(a * q.y) + c * cos(a * q.x)), q.w * (sin(b * q.x) + d * cos(b * q.y)))


@plugin('svensson_js', 'svensson_js_a=1.4 svensson_js_b=1.56 svensson_js_c=1.4 svensson_js_d=-6.56')
def svensson_js(q):
    a, b, c, d = q.v
    return flat(q.w * (d * sin(a * q.x) - sin(b * q.y)), q.w * (c * cos(a * q.x) + cos(b * q.y)))


@plugin('henon', 'henon_a=1.4 henon_b=0.3 henon_c=1')
def henon(q):
    a, b, c = q.v
    return flat(q.w * (c - a * q.x * q.x + q.y), q.w * b * q.x)


@plugin('lozi', 'lozi_a=1.7 lozi_b=0.5 lozi_c=1')
def lozi(q):
    a, b, c = q.v
    return flat(q.w * (c - a * abs(q.x) + q.y), q.w * b * q.x)


@plugin('bi_linear')
def bi_linear(q): return flat(q.w * q.y, q.w * q.x)


@plugin('flipcircle')
def flipcircle(q): return flat(q.w * q.x, q.w * (q.y if q.r2 > q.w * q.w else -q.y))


@plugin('flipy')
def flipy(q): return flat(q.w * q.x, q.w * (-q.y if q.x > 0 else q.y))


@plugin('linearT', 'linearT_powX=1 linearT_powY=1')
def linear_t(q):
    signed = lambda t, p: math.copysign(power(abs(t), p), t)
    return flat(q.w * signed(q.x, q.v[0]), q.w * signed(q.y, q.v[1]))


@plugin('circlesplit', 'circlesplit_radius=1 circlesplit_split=0.5')
def circlesplit(q):
    radius, split = q.v[0], max(q.v[1], 0.0)
    k = 1.0 if q.r < radius - split else (q.r + split) / nz(q.r)
    return flat(q.w * k * q.x, q.w * k * q.y)


@plugin('circus', 'circus_scale=1')
def circus(q):
    k = q.v[0] if q.r2 <= 1 else 1 / nz(q.v[0])
    return flat(q.w * k * q.x, q.w * k * q.y)


@plugin('projective', ' '.join('projective_' + p for p in ('A=0', 'B=0', 'C=1', 'A1=1', 'B1=0', 'C1=0', 'A2=0', 'B2=1', 'C2=0')))
def projective(q):
    a, b, c, a1, b1, c1, a2, b2, c2 = q.v
    s = q.w / nz(a * q.x + b * q.y + c)
    return flat(s * (a1 * q.x + b1 * q.y + c1), s * (a2 * q.x + b2 * q.y + c2))


@plugin('waves22', ' '.join('waves22_' + p for p in (
    'scalex=0.05', 'scaley=0.05', 'freqx=7', 'freqy=13', 'modex=0', 'modey=0', 'powerx=2', 'powery=2')))
def waves22(q):
    sx, sy, fx, fy, mx, my, px, py = q.v

    def wave(sine, mode, p):
        t, p = (1 + sine) / 2 if mode >= 0.5 else sine, trunc(p)
        size = power(abs(t), p)
        return math.copysign(size, t) if p % 2 else size
    return flat(q.w * (q.x + sx * wave(sin(q.y * fx), mx, px)), q.w * (q.y + sy * wave(sin(q.x * fy), my, py)))


@plugin('ovoid', 'ovoid_x=1 ovoid_y=1')
def ovoid(q):
    s = q.w / nz(q.r2)
    return flat(s * q.v[0] * q.x, s * q.v[1] * q.y)


@plugin('ovoid3D', 'ovoid3D_x=1 ovoid3D_y=1 ovoid3D_z=1')
def ovoid3d(q):
    s = q.w / nz(q.R3)
    return s * q.v[0] * q.x, s * q.v[1] * q.y, s * q.v[2] * q.z


@plugin('d_spherical', 'd_spherical_weight=0.5')
def d_spherical(q):
    s = q.w / nz(q.r2) if q.U() < q.v[0] else q.w
    return flat(s * q.x, s * q.y)


@plugin('julian2', ' '.join('julian2_' + p for p in ('power=2', 'dist=1', 'a=1', 'b=0', 'c=0', 'd=1', 'e=0', 'f=0')))
def julian2(q):
    p, dist, a, b, c, d, e, f = q.v
    u, v = a * q.x + b * q.y + e, c * q.x + d * q.y + f
    angle = (q.atan2(v, u) + 2 * PI * trunc(abs(p) * q.U())) / p
    return flat(*polar(q.w * power(u * u + v * v, dist / p / 2), angle))


@plugin('eRotate', 'eRotate_rotate=0')
def erotate(q):
    q.U()  # kiln's, which has one formula for this and eJulia
    far, near = sqrt((q.x + 1)**2 + q.y * q.y), sqrt((q.x - 1)**2 + q.y * q.y)
    cosine = max((far + near) / 2, 1.0)
    nu = q.atan2(sqrt(max(cosine * cosine - q.x * q.x, 0.0)), q.x)
    mu, nu = math.acosh(cosine), (-nu if q.y < 0 else nu) + q.v[0]
    return flat(q.w * cosh(mu) * cos(nu), q.w * sinh(mu) * sin(nu))


@plugin('invpolar')
def invpolar(q):
    s, c = sin(PI * q.x), cos(PI * q.x)
    return flat(q.w * (1 + q.y) * s, q.w * (1 + q.y) * c)


@plugin('idisc')
def idisc(q):
    a, u = PI / (q.r + 1), q.phi / q.pi
    return flat(q.w * u * cos(a), q.w * u * sin(a))


@plugin('starblur', 'starblur_power=5 starblur_range=0.401623', form='sum')
def starblur(q):
    """A point of one of 2 p triangles: from the middle to a tip, to the corner between two tips."""
    p, rng = q.v
    al = q.pi / nz(p)
    side = sqrt(1 + rng * rng - 2 * rng * cos(al))
    be = asin(rng * sin(al) / nz(side))
    f = 2 * p * q.U()
    i = trunc(f)
    u = (f - i) * side
    v = sqrt(1 + u * u - 2 * u * cos(be))
    within = asin(clamp(u * sin(be) / nz(v), -1, 1))
    a = 2 * q.pi / nz(p) * trunc(i / 2) + (-within if i % 2 == 0 else within)
    k = q.w * v * sqrt(q.U())
    return flat(k * cos(a - PI / 2), k * sin(a - PI / 2))


@plugin('square3D', form='sum')
def square3d(q):
    x, y, z = q.U() - 0.5, q.U() - 0.5, q.U() - 0.5
    return q.w * x, q.w * y, q.w * z
