# SPDX-License-Identifier: MIT
"""flam3's 99 variations in double, straight from their formulas: the reference beside the C++ of kernels/variations/.

Written independently of the C++ and with flam3's own operations in flam3's own order, cancellations included; only the standard
library. IEEE results (infinities, NaN) where Python would raise. make_variation_vectors.py checks it against the real flam3 and
uses it to estimate condition numbers.
"""

import math

EPS = 1e-10
INF, NAN = math.inf, math.nan
PI = math.pi


# ---- IEEE arithmetic where Python raises ----

def div(a, b):
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return NAN
    return math.copysign(INF, a) * math.copysign(1, b)


def _guard(function, on_overflow):
    def guarded(x):
        try:
            return function(x)
        except OverflowError:
            return on_overflow(x)
        except ValueError:
            return NAN
    return guarded


sin, cos, tan = (_guard(f, lambda x: NAN) for f in (math.sin, math.cos, math.tan))
exp, cosh = (_guard(f, lambda x: INF) for f in (math.exp, math.cosh))
sinh = _guard(math.sinh, lambda x: math.copysign(INF, x))
sqrt, acos = _guard(math.sqrt, lambda x: NAN), _guard(math.acos, lambda x: NAN)


def ln(x):
    return -INF if x == 0 else _guard(math.log, lambda y: NAN)(x)


def power(b, p):
    try:
        return b ** p if b >= 0 else NAN
    except ZeroDivisionError:
        return INF
    except OverflowError:
        return INF


def fmod(a, b):
    try:
        return math.fmod(a, b)
    except ValueError:
        return NAN


def floor(x):
    return float(math.floor(x)) if math.isfinite(x) else x


def trunc(x):
    return float(math.trunc(x)) if math.isfinite(x) else x


def rint(x):
    return float(round(x)) if math.isfinite(x) else x


def int32(x):
    """C's conversion on x86: INT_MIN outside the range."""
    return int(x) if -2147483649.0 < x < 2147483648.0 else -2147483648


def wrap32(i):
    return (i + 2**31) % 2**32 - 2**31


def is_bad(v):
    return not abs(v) <= 1e10


# ---- what a formula sees ----

class Point:
    """The point after the affine, with weight, parameters (attributes by short name), the affine and the draws.

    `nudge` multiplies one input, by name, to measure condition numbers; 'angle' nudges every atan2, 'pi' the constant,
    but not where it is PI: a factor of a whole angle, which kiln brings in after full turns are off, without rounding."""

    def __init__(self, x, y, weight, parameters, affine, draws, nudge=(None, 0.0)):
        name, by = nudge
        factor = lambda what: 1 + by if name == what else 1.0
        self.x, self.y, self.w = x, y, weight * factor('weight')
        self.v = [value * factor(i) for i, value in enumerate(parameters)]
        self.a, self.d, self.b, self.e, self.c, self.f = (value * factor('affine%d' % i) for i, value in enumerate(affine))
        self.pi, self._angle = PI * factor('pi'), factor('angle')
        self._draws, self._draw_count, self._nudge = draws, 0, nudge

    def atan2(self, y, x):
        return math.atan2(y, x) * self._angle

    def U(self):
        u = self._draws.uniform()
        self._draw_count += 1
        return u * (1 + self._nudge[1]) if self._nudge[0] == 'draw%d' % self._draw_count else u

    def B(self):
        return self._draws.bit()

    r2 = property(lambda self: self.x * self.x + self.y * self.y)
    r = property(lambda self: sqrt(self.r2))
    theta = property(lambda self: self.atan2(self.x, self.y))
    phi = property(lambda self: self.atan2(self.y, self.x))
    sinT = property(lambda self: div(self.x, self.r))
    cosT = property(lambda self: div(self.y, self.r))


# ---- the formulas ----

def linear(q): return q.w * q.x, q.w * q.y
def sinusoidal(q): return q.w * sin(q.x), q.w * sin(q.y)


def spherical(q):
    s = q.w / (q.r2 + EPS)
    return s * q.x, s * q.y


def swirl(q):
    s, c = sin(q.r2), cos(q.r2)
    return q.w * (q.x * s - q.y * c), q.w * (q.x * c + q.y * s)


def horseshoe(q):
    s = q.w / (q.r + EPS)
    return s * (q.x - q.y) * (q.x + q.y), 2 * s * q.x * q.y


def polar(q): return q.w * q.theta / q.pi, q.w * (q.r - 1)
def handkerchief(q): return q.w * q.r * sin(q.theta + q.r), q.w * q.r * cos(q.theta - q.r)


def heart(q):
    a = q.r * q.theta
    return q.w * q.r * sin(a), -q.w * q.r * cos(a)


def disc(q):
    k = q.theta / q.pi
    return q.w * k * sin(PI * q.r), q.w * k * cos(PI * q.r)


def spiral(q):
    R = q.r + EPS
    return q.w / R * (q.cosT + sin(R)), q.w / R * (q.sinT - cos(R))


def hyperbolic(q):
    R = q.r + EPS
    return q.w * q.sinT / R, q.w * q.cosT * R


def diamond(q): return q.w * q.sinT * cos(q.r), q.w * q.cosT * sin(q.r)


def ex(q):
    m0, m1 = sin(q.theta + q.r) ** 3 * q.r, cos(q.theta - q.r) ** 3 * q.r
    return q.w * (m0 + m1), q.w * (m0 - m1)


def julia(q):
    a = q.theta / 2 + q.pi * q.B()
    s = q.w * sqrt(q.r)
    return s * cos(a), s * sin(a)


def bent(q): return q.w * (2 * q.x if q.x < 0 else q.x), q.w * (q.y / 2 if q.y < 0 else q.y)


def waves(q):
    return (q.w * (q.x + q.b * sin(q.y * div(1, q.c * q.c + EPS))),
            q.w * (q.y + q.e * sin(q.x * div(1, q.f * q.f + EPS))))


def fisheye(q):
    s = 2 * q.w / (q.r + 1)
    return s * q.y, s * q.x


def popcorn(q):
    return q.w * (q.x + q.c * sin(tan(3 * q.y))), q.w * (q.y + q.f * sin(tan(3 * q.x)))


def exponential(q):
    s = q.w * exp(q.x - 1)
    return s * cos(PI * q.y), s * sin(PI * q.y)


def power_variation(q):
    s = q.w * power(q.r, q.sinT)
    return s * q.cosT, s * q.sinT


def cosine(q):
    return q.w * cos(PI * q.x) * cosh(q.y), -q.w * sin(PI * q.x) * sinh(q.y)


def rings(q):
    d = q.c * q.c + EPS
    s = q.w * (fmod(q.r + d, 2 * d) - d + q.r * (1 - d))
    return s * q.cosT, s * q.sinT


def fan(q):
    d = q.pi * (q.c * q.c + EPS)
    a = q.theta - d / 2 if fmod(q.theta + q.f, d) > d / 2 else q.theta + d / 2
    return q.w * q.r * cos(a), q.w * q.r * sin(a)


def blob(q):
    low, high, waves_ = q.v
    s = q.r * (low + (high - low) * (0.5 + 0.5 * sin(waves_ * q.theta)))
    return q.w * q.sinT * s, q.w * q.cosT * s


def pdj(q):
    a, b, c, d = q.v
    return q.w * (sin(a * q.y) - cos(b * q.x)), q.w * (sin(c * q.x) - cos(d * q.y))


def fan2(q):
    vx, vy = q.v
    d = q.pi * (vx * vx + EPS)
    t = q.theta + vy - d * int32((q.theta + vy) / d)
    a = q.theta - d / 2 if t > d / 2 else q.theta + d / 2
    return q.w * q.r * sin(a), q.w * q.r * cos(a)


def rings2(q):
    d = q.v[0] * q.v[0] + EPS
    s = q.r * (2 - d) - 2 * d * int32((q.r + d) / (2 * d))
    return q.w * q.sinT * s, q.w * q.cosT * s


def eyefish(q):
    s = 2 * q.w / (q.r + 1)
    return s * q.x, s * q.y


def bubble(q):
    s = q.w / (q.r2 / 4 + 1)
    return s * q.x, s * q.y


def cylinder(q): return q.w * sin(q.x), q.w * q.y


def perspective(q):
    angle, dist = q.v
    A = angle * PI / 2
    t = div(1, dist - q.y * sin(A))
    return q.w * dist * q.x * t, q.w * dist * cos(A) * q.y * t


def noise(q):
    a = 2 * PI * q.U()
    s = q.w * q.U()
    return q.x * s * cos(a), q.y * s * sin(a)


def julian(q):
    p, dist = q.v
    k = trunc(abs(p) * q.U())
    a = div(q.phi + 2 * q.pi * k, p)
    s = q.w * power(q.r2, div(dist, p) / 2)
    return s * cos(a), s * sin(a)


def juliascope(q):
    p, dist = q.v
    k = trunc(abs(p) * q.U())
    a = div(2 * q.pi * k + (q.phi if k % 2 == 0 else -q.phi), p)
    s = q.w * power(q.r2, div(dist, p) / 2)
    return s * cos(a), s * sin(a)


def blur(q):
    a = 2 * PI * q.U()
    s = q.w * q.U()
    return s * cos(a), s * sin(a)


def gaussian_blur(q):
    a = 2 * PI * q.U()
    s = q.w * (q.U() + q.U() + q.U() + q.U() - 2)
    return s * cos(a), s * sin(a)


def radial_blur(q):
    G = q.w * (q.U() + q.U() + q.U() + q.U() - 2)
    A = q.v[0] * PI / 2
    a, z = q.phi + sin(A) * G, cos(A) * G - 1
    return q.r * cos(a) + z * q.x, q.r * sin(a) + z * q.y


def pie(q):
    slices, rotation, thickness = q.v
    k = trunc(q.U() * slices + 0.5)
    a = rotation + div(2 * q.pi * (k + q.U() * thickness), slices)
    s = q.w * q.U()
    return s * cos(a), s * sin(a)


def ngon(q):
    sides, p, circle, corners = q.v
    F = power(q.r2, p / 2)
    h = div(2 * q.pi, sides)
    u = q.phi - h * floor(div(q.phi, h))
    if u > h / 2:
        u -= h
    A = div(corners * (div(1, cos(u) + EPS) - 1) + circle, F + EPS)
    return q.w * q.x * A, q.w * q.y * A


def curl(q):
    c1, c2 = q.v
    re = 1 + c1 * q.x + c2 * (q.x * q.x - q.y * q.y)
    im = c1 * q.y + 2 * c2 * q.x * q.y
    s = div(q.w, re * re + im * im)
    return (q.x * re + q.y * im) * s, (q.y * re - q.x * im) * s


def rectangles(q):
    def axis(t, size):
        return t if size == 0 else (2 * floor(t / size) + 1) * size - t
    return q.w * axis(q.x, q.v[0]), q.w * axis(q.y, q.v[1])


def arch(q):
    a = PI * q.w * q.U()
    return q.w * sin(a), div(q.w * sin(a) ** 2, cos(a))


def tangent(q): return div(q.w * sin(q.x), cos(q.y)), q.w * tan(q.y)
def square(q): return q.w * (q.U() - 0.5), q.w * (q.U() - 0.5)


def rays(q):
    a = PI * q.w * q.U()
    t = q.w * tan(a) * q.w / (q.r2 + EPS)
    return t * cos(q.x), t * sin(q.y)


def blade(q):
    a = q.U() * q.w * q.r
    return q.w * q.x * (cos(a) + sin(a)), q.w * q.x * (cos(a) - sin(a))


def secant2(q):
    k = cos(q.w * q.r)
    return q.w * q.x, q.w * (div(1, k) + (1 if k < 0 else -1))


def twintrian(q):
    a = q.U() * q.w * q.r
    D = ln(sin(a) ** 2) / math.log(10) + cos(a)
    if is_bad(D):
        D = -30.0
    return q.w * q.x * D, q.w * q.x * (D - q.pi * sin(a))


def cross(q):
    s = q.x * q.x - q.y * q.y
    t = q.w * sqrt(1 / (s * s + EPS))
    return q.x * t, q.y * t


def disc2(q):
    rot, twist = q.v
    t = PI * rot * (q.x + q.y)
    C, S = cos(twist) - 1, sin(twist)
    if twist > 2 * q.pi:
        k = 1 + twist - 2 * q.pi
    elif twist < -2 * q.pi:
        k = 1 + twist + 2 * q.pi
    else:
        k = 1
    C, S, k = C * k, S * k, q.w * q.theta / q.pi
    return k * (sin(t) + C), k * (cos(t) + S)


def super_shape(q):
    rnd, m, n1, n2, n3, holes = q.v
    a = m * q.phi / 4 + q.pi / 4
    T = power(abs(cos(a)), n2) + power(abs(sin(a)), n3)
    s = div(q.w * ((rnd * q.U() + (1 - rnd) * q.r) - holes) * power(T, div(-1, n1)), q.r)
    return s * q.x, s * q.y


def flower(q):
    petals, holes = q.v
    s = div(q.w * (q.U() - holes) * cos(petals * q.phi), q.r)
    return s * q.x, s * q.y


def conic(q):
    ecc, holes = q.v
    s = div(div(q.w * (q.U() - holes) * ecc, 1 + ecc * div(q.x, q.r)), q.r)
    return s * q.x, s * q.y


def parabola(q):
    height, width = q.v
    return height * q.w * sin(q.r) ** 2 * q.U(), width * q.w * cos(q.r) * q.U()


def bent2(q): return q.w * (q.x * q.v[0] if q.x < 0 else q.x), q.w * (q.y * q.v[1] if q.y < 0 else q.y)


def bipolar(q):
    t, half = q.r2 + 1, q.pi / 2
    v = q.atan2(2 * q.y, q.r2 - 1) / 2 - half * q.v[0]
    if v > half:
        v = -half + fmod(v + half, q.pi)
    elif v < -half:
        v = half - fmod(half - v, q.pi)
    return q.w * 0.25 * (2 / q.pi) * ln(div(t + 2 * q.x, t - 2 * q.x)), q.w * (2 / q.pi) * v


def boarders(q):
    mx, my = rint(q.x), rint(q.y)
    ox, oy = q.x - mx, q.y - my
    if q.U() >= 0.75:
        return q.w * (ox / 2 + mx), q.w * (oy / 2 + my)
    if abs(ox) >= abs(oy):
        g = 0.25 if ox >= 0 else -0.25
        return q.w * (ox / 2 + mx + g), q.w * (oy / 2 + my + div(g * oy, ox))
    g = 0.25 if oy >= 0 else -0.25
    return q.w * (ox / 2 + mx + div(g * ox, oy)), q.w * (oy / 2 + my + g)


def butterfly(q):
    y2 = 2 * q.y
    s = q.w * 1.3029400317411197908970256609023 * sqrt(abs(q.x * q.y) / (EPS + q.x * q.x + y2 * y2))
    return s * q.x, s * y2


def cell(q):
    size = q.v[0]
    inverse = div(1, size)

    def spread(t):
        i = int32(floor(t * inverse))
        rest = t - i * size
        i = wrap32(2 * i) if i >= 0 else wrap32(-wrap32(wrap32(2 * i) + 1))
        return rest + i * size
    return q.w * spread(q.x), -q.w * spread(q.y)


def cpow(q):
    cr, ci, p = q.v
    L, vc, vd = ln(q.r2) / 2, div(cr, p), div(ci, p)
    a = vc * q.phi + vd * L + div(2 * q.pi, p) * floor(p * q.U())
    m = q.w * exp(vc * L - vd * q.phi)
    return m * cos(a), m * sin(a)


def curve(q):
    xamp, yamp, xlength, ylength = q.v
    lx, ly = max(xlength * xlength, 1e-20), max(ylength * ylength, 1e-20)
    return q.w * (q.x + xamp * exp(-q.y * q.y / lx)), q.w * (q.y + yamp * exp(-q.x * q.x / ly))


def edisc(q):
    t = q.r2 + 1
    xm = (sqrt(t + 2 * q.x) + sqrt(t - 2 * q.x)) / 2
    a1, a2 = ln(xm + sqrt(xm - 1)), -acos(q.x / xm)
    k = q.w / 11.57034632
    sn = -sin(a1) if q.y > 0 else sin(a1)
    return k * cosh(a2) * cos(a1), k * sinh(a2) * sn


def elliptic(q):
    t = q.r2 + 1
    xm = (sqrt(t + 2 * q.x) + sqrt(t - 2 * q.x)) / 2
    a = q.x / xm
    b, h = sqrt(max(0.0, 1 - a * a)), sqrt(max(0.0, xm - 1))
    k = q.w / (q.pi / 2)
    return k * q.atan2(a, b), k * ln(xm + h) * (1 if q.y > 0 else -1)


def escher(q):
    beta = q.v[0]
    vc, vd, L = (1 + cos(beta)) / 2, sin(beta) / 2, ln(q.r2) / 2
    m, n = q.w * exp(vc * L - vd * q.phi), vc * q.phi + vd * L
    return m * cos(n), m * sin(n)


def foci(q):
    E = exp(q.x) / 2
    N = div(0.25, E)
    s = div(q.w, E + N - cos(q.y))
    return s * (E - N), s * sin(q.y)


def lazysusan(q):
    spin, space, twist, lx, ly = q.v
    u, v = q.x - lx, q.y + ly
    R = sqrt(u * u + v * v)
    if R < q.w:
        a = q.atan2(v, u) + spin + twist * (q.w - R)
        return q.w * R * cos(a) + lx, q.w * R * sin(a) - ly
    k = q.w * (1 + div(space, R))
    return k * u + lx, k * v - ly


def loonie(q):
    s = q.w * sqrt(div(q.w * q.w, q.r2) - 1) if q.r2 < q.w * q.w else q.w
    return s * q.x, s * q.y


def pre_blur(q):
    G = q.w * (q.U() + q.U() + q.U() + q.U() - 2)
    a = 2 * PI * q.U()
    return q.x + G * cos(a), q.y + G * sin(a)


def modulus(q):
    def axis(t, size):
        if t > size:
            return -size + fmod(t + size, 2 * size)
        if t < -size:
            return size - fmod(size - t, 2 * size)
        return t
    return q.w * axis(q.x, q.v[0]), q.w * axis(q.y, q.v[1])


def oscilloscope(q):
    separation, frequency, amplitude, damping = q.v
    t = amplitude * exp(-abs(q.x) * damping) * cos(2 * PI * frequency * q.x) + separation
    return q.w * q.x, -q.w * q.y if abs(q.y) <= t else q.w * q.y


def polar2(q): return q.w / q.pi * q.theta, q.w / (2 * q.pi) * ln(q.r2)


def popcorn2(q):
    px, py, c = q.v
    return q.w * (q.x + px * sin(tan(c * q.y))), q.w * (q.y + py * sin(tan(c * q.x)))


def scry(q):
    s = div(1, q.r * (q.r2 + div(1, q.w + EPS)))
    return s * q.x, s * q.y


def separation(q):
    def axis(t, size, inside):
        root = sqrt(t * t + size * size)
        return root - t * inside if t > 0 else -(root + t * inside)
    return q.w * axis(q.x, q.v[0], q.v[1]), q.w * axis(q.y, q.v[2], q.v[3])


def split(q):
    return (q.w * q.x if cos(q.pi * q.v[1] * q.y) >= 0 else -q.w * q.x,
            q.w * q.y if cos(q.pi * q.v[0] * q.x) >= 0 else -q.w * q.y)


def splits(q):
    return (q.w * (q.x + q.v[0] if q.x >= 0 else q.x - q.v[0]),
            q.w * (q.y + q.v[1] if q.y >= 0 else q.y - q.v[1]))


def stripes(q):
    n = floor(q.x + 0.5)
    o = q.x - n
    return q.w * (o * (1 - q.v[0]) + n), q.w * (q.y + o * o * q.v[1])


def _cut(q, a0, angle, count):
    k = floor((count * a0 + q.pi) / (2 * q.pi))
    return a0 * (1 - angle * count / (2 * q.pi)) + k * angle


def wedge(q):
    angle, hole, count, swirl_ = q.v
    a = _cut(q, q.phi + swirl_ * q.r, angle, count)
    s = q.w * (q.r + hole)
    return s * cos(a), s * sin(a)


def wedge_julia(q):
    angle, count, p, dist = q.v
    s = q.w * power(q.r2, div(dist, p) / 2)
    n = trunc(abs(p) * q.U())
    a = _cut(q, div(q.phi + 2 * q.pi * n, p), angle, count)
    return s * cos(a), s * sin(a)


def wedge_sph(q):
    angle, count, hole, swirl_ = q.v
    inverse = 1 / (q.r + EPS)
    a = _cut(q, q.phi + swirl_ * inverse, angle, count)
    s = q.w * (inverse + hole)
    return s * cos(a), s * sin(a)


def whorl(q):
    a = q.phi + div(q.v[0] if q.r < q.w else q.v[1], q.w - q.r)
    return q.w * q.r * cos(a), q.w * q.r * sin(a)


def waves2(q):
    freqx, scalex, freqy, scaley = q.v
    return q.w * (q.x + scalex * sin(q.y * freqx)), q.w * (q.y + scaley * sin(q.x * freqy))


def exp_variation(q): return q.w * exp(q.x) * cos(q.y), q.w * exp(q.x) * sin(q.y)
def log_variation(q): return q.w * ln(q.r2) / 2, q.w * q.phi
def sin_variation(q): return q.w * sin(q.x) * cosh(q.y), q.w * cos(q.x) * sinh(q.y)
def cos_variation(q): return q.w * cos(q.x) * cosh(q.y), -q.w * sin(q.x) * sinh(q.y)


def tan_variation(q):
    D = div(1, cos(2 * q.x) + cosh(2 * q.y))
    return q.w * D * sin(2 * q.x), q.w * D * sinh(2 * q.y)


def sec(q):
    D = div(2, cos(2 * q.x) + cosh(2 * q.y))
    return q.w * D * cos(q.x) * cosh(q.y), q.w * D * sin(q.x) * sinh(q.y)


def csc(q):
    D = div(2, cosh(2 * q.y) - cos(2 * q.x))
    return q.w * D * sin(q.x) * cosh(q.y), -q.w * D * cos(q.x) * sinh(q.y)


def cot(q):
    D = div(1, cosh(2 * q.y) - cos(2 * q.x))
    return q.w * D * sin(2 * q.x), -q.w * D * sinh(2 * q.y)


def sinh_variation(q): return q.w * sinh(q.x) * cos(q.y), q.w * cosh(q.x) * sin(q.y)
def cosh_variation(q): return q.w * cosh(q.x) * cos(q.y), q.w * sinh(q.x) * sin(q.y)


def tanh(q):
    D = div(1, cos(2 * q.y) + cosh(2 * q.x))
    return q.w * D * sinh(2 * q.x), q.w * D * sin(2 * q.y)


def sech(q):
    D = div(2, cos(2 * q.y) + cosh(2 * q.x))
    return q.w * D * cos(q.y) * cosh(q.x), -q.w * D * sin(q.y) * sinh(q.x)


def csch(q):
    D = div(2, cosh(2 * q.x) - cos(2 * q.y))
    return q.w * D * sinh(q.x) * cos(q.y), -q.w * D * cosh(q.x) * sin(q.y)


def coth(q):
    D = div(1, cosh(2 * q.x) - cos(2 * q.y))
    return q.w * D * sinh(2 * q.x), q.w * D * sin(2 * q.y)


def auger(q):
    sym, strength, freq, scale = q.v
    s, t = sin(freq * q.x), sin(freq * q.y)
    dx = q.x + strength * (scale * t / 2 + abs(q.x) * t)
    dy = q.y + strength * (scale * s / 2 + abs(q.y) * s)
    return q.w * (q.x + sym * (dx - q.x)), q.w * dy


def flux(q):
    P, M = q.x + q.w, q.x - q.w
    A = q.w * (2 + q.v[0]) * sqrt(div(sqrt(q.y * q.y + P * P), sqrt(q.y * q.y + M * M)))
    a = (q.atan2(q.y, M) - q.atan2(q.y, P)) / 2
    return A * cos(a), A * sin(a)


def mobius(q):
    ra, ia, rb, ib, rc, ic, rd, id_ = q.v
    ur, ui = ra * q.x - ia * q.y + rb, ra * q.y + ia * q.x + ib
    vr, vi = rc * q.x - ic * q.y + rd, rc * q.y + ic * q.x + id_
    s = div(q.w, vr * vr + vi * vi)
    return s * (ur * vr + ui * vi), s * (ui * vr - ur * vi)


# ---- the table ----

def _n(text):
    return [(name, float(value)) for name, _, value in (item.partition('=') for item in text.split())]


# name, formula, parameters with defaults, affine values used (indices into a d b e c f); position = flam3's index
TABLE = [
    ('linear', linear, '', ()), ('sinusoidal', sinusoidal, '', ()), ('spherical', spherical, '', ()),
    ('swirl', swirl, '', ()), ('horseshoe', horseshoe, '', ()), ('polar', polar, '', ()),
    ('handkerchief', handkerchief, '', ()), ('heart', heart, '', ()), ('disc', disc, '', ()),
    ('spiral', spiral, '', ()), ('hyperbolic', hyperbolic, '', ()), ('diamond', diamond, '', ()), ('ex', ex, '', ()),
    ('julia', julia, '', ()), ('bent', bent, '', ()), ('waves', waves, '', (2, 3, 4, 5)), ('fisheye', fisheye, '', ()),
    ('popcorn', popcorn, '', (4, 5)), ('exponential', exponential, '', ()), ('power', power_variation, '', ()),
    ('cosine', cosine, '', ()), ('rings', rings, '', (4,)), ('fan', fan, '', (4, 5)),
    ('blob', blob, 'blob_low=0 blob_high=1 blob_waves=1', ()),
    ('pdj', pdj, 'pdj_a=0 pdj_b=0 pdj_c=0 pdj_d=0', ()), ('fan2', fan2, 'fan2_x=0 fan2_y=0', ()),
    ('rings2', rings2, 'rings2_val=0', ()), ('eyefish', eyefish, '', ()), ('bubble', bubble, '', ()),
    ('cylinder', cylinder, '', ()), ('perspective', perspective, 'perspective_angle=0 perspective_dist=0', ()),
    ('noise', noise, '', ()), ('julian', julian, 'julian_power=1 julian_dist=1', ()),
    ('juliascope', juliascope, 'juliascope_power=1 juliascope_dist=1', ()), ('blur', blur, '', ()),
    ('gaussian_blur', gaussian_blur, '', ()), ('radial_blur', radial_blur, 'radial_blur_angle=0', ()),
    ('pie', pie, 'pie_slices=6 pie_rotation=0 pie_thickness=0.5', ()),
    ('ngon', ngon, 'ngon_sides=5 ngon_power=3 ngon_circle=1 ngon_corners=2', ()),
    ('curl', curl, 'curl_c1=1 curl_c2=0', ()), ('rectangles', rectangles, 'rectangles_x=1 rectangles_y=1', ()),
    ('arch', arch, '', ()), ('tangent', tangent, '', ()), ('square', square, '', ()), ('rays', rays, '', ()),
    ('blade', blade, '', ()), ('secant2', secant2, '', ()), ('twintrian', twintrian, '', ()), ('cross', cross, '', ()),
    ('disc2', disc2, 'disc2_rot=0 disc2_twist=0', ()),
    ('super_shape', super_shape, 'super_shape_rnd=0 super_shape_m=0 super_shape_n1=1 super_shape_n2=1'
     ' super_shape_n3=1 super_shape_holes=0', ()),
    ('flower', flower, 'flower_petals=0 flower_holes=0', ()), ('conic', conic, 'conic_eccentricity=1 conic_holes=0', ()),
    ('parabola', parabola, 'parabola_height=0 parabola_width=0', ()), ('bent2', bent2, 'bent2_x=1 bent2_y=1', ()),
    ('bipolar', bipolar, 'bipolar_shift=0', ()), ('boarders', boarders, '', ()), ('butterfly', butterfly, '', ()),
    ('cell', cell, 'cell_size=1', ()), ('cpow', cpow, 'cpow_r=1 cpow_i=0 cpow_power=1', ()),
    ('curve', curve, 'curve_xamp=0 curve_yamp=0 curve_xlength=1 curve_ylength=1', ()), ('edisc', edisc, '', ()),
    ('elliptic', elliptic, '', ()), ('escher', escher, 'escher_beta=0', ()), ('foci', foci, '', ()),
    ('lazysusan', lazysusan, 'lazysusan_spin=0 lazysusan_space=0 lazysusan_twist=0 lazysusan_x=0 lazysusan_y=0', ()),
    ('loonie', loonie, '', ()), ('pre_blur', pre_blur, '', ()), ('modulus', modulus, 'modulus_x=0 modulus_y=0', ()),
    ('oscilloscope', oscilloscope, 'oscilloscope_separation=1 oscilloscope_frequency=%r oscilloscope_amplitude=1'
     ' oscilloscope_damping=0' % PI, ()),
    ('polar2', polar2, '', ()), ('popcorn2', popcorn2, 'popcorn2_x=0 popcorn2_y=0 popcorn2_c=0', ()), ('scry', scry, '', ()),
    ('separation', separation, 'separation_x=0 separation_xinside=0 separation_y=0 separation_yinside=0', ()),
    ('split', split, 'split_xsize=0 split_ysize=0', ()), ('splits', splits, 'splits_x=0 splits_y=0', ()),
    ('stripes', stripes, 'stripes_space=0 stripes_warp=0', ()),
    ('wedge', wedge, 'wedge_angle=0 wedge_hole=0 wedge_count=1 wedge_swirl=0', ()),
    ('wedge_julia', wedge_julia, 'wedge_julia_angle=0 wedge_julia_count=1 wedge_julia_power=1 wedge_julia_dist=0', ()),
    ('wedge_sph', wedge_sph, 'wedge_sph_angle=0 wedge_sph_count=1 wedge_sph_hole=0 wedge_sph_swirl=0', ()),
    ('whorl', whorl, 'whorl_inside=0 whorl_outside=0', ()),
    ('waves2', waves2, 'waves2_freqx=0 waves2_scalex=0 waves2_freqy=0 waves2_scaley=0', ()),
    ('exp', exp_variation, '', ()), ('log', log_variation, '', ()), ('sin', sin_variation, '', ()),
    ('cos', cos_variation, '', ()), ('tan', tan_variation, '', ()), ('sec', sec, '', ()), ('csc', csc, '', ()),
    ('cot', cot, '', ()), ('sinh', sinh_variation, '', ()), ('cosh', cosh_variation, '', ()), ('tanh', tanh, '', ()),
    ('sech', sech, '', ()), ('csch', csch, '', ()), ('coth', coth, '', ()),
    ('auger', auger, 'auger_sym=0 auger_weight=0.5 auger_freq=1 auger_scale=1', ()),
    ('flux', flux, 'flux_spread=0', ()),
    ('mobius', mobius, 'mobius_re_a=0 mobius_im_a=0 mobius_re_b=0 mobius_im_b=0 mobius_re_c=0 mobius_im_c=0'
     ' mobius_re_d=0 mobius_im_d=0', ()),
]
TABLE = [(name, formula, _n(parameters), uses) for name, formula, parameters, uses in TABLE]
assert len(TABLE) == 99


# ---- variations that flam3 does not have, in the order of kernels/variations/all.h ----

def more(name, parameters='', uses=()):
    """Puts a formula into the table: @more('curl3', 'curl3_c1=1 curl3_c2=0')."""
    def add(formula):
        TABLE.append((name, formula, _n(parameters), uses))
        return formula
    return add
