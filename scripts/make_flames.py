#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the sample flames and their palettes: flames/<name>.flam3 and flames/palettes.xml.

Everything the pictures are made of stands here as numbers, so a color or a map is changed in one
place and the files follow. Palettes are color stops blended in OKLab (Bjorn Ottosson, 2020), which
keeps the lightness even between two hues; they close on themselves, so a coordinate may wrap. There
is no randomness: the same script gives the same bytes.

    python3 scripts/make_flames.py [folder]
"""

import cmath
import math
import pathlib
import sys

# ----------------------------------------------------------------------------------------- palettes

# name: color stops, spread evenly over the circle (entry 255 is followed by entry 0).
PALETTES = {
    "ember": "#0d0608 #4a0f14 #a8261c #e8622a #ffb34d #fff0c2 #f0904a #8a2230 #2c0b1c",
    "glacier": "#04101c #0d3a58 #2f7fa6 #8fd0e0 #f2fbff #a9c6e8 #4f72b8 #1d2c66 #0a1330",
    "moss": "#0b1208 #22391a #4c6b2a #8ea84a #d8d98a #f4efc8 #a7b878 #56784e #1d3a2c",
    "dusk": "#120a24 #3a1a52 #7c2a6e #c8486c #f58a5e #ffd08a #f7a9a0 #9a5aa0 #38307a",
    "patina": "#0a1414 #17423f #2f8177 #7cc4a8 #e4efc8 #d9a864 #a55f34 #5a2c1e #201414",
    "peacock": "#04121e #06455c #00868c #32c39a #c9ec7c #f7d75a #3fa7a2 #2a5aa8 #1b1f5c",
    "saffron": "#1c0a04 #6a2206 #c2570c #f29a1c #ffd75e #fff6d4 #f3b98a #b8564c #541a2c",
    "abyss": "#01050c #03203c #0a4a78 #1c8ab0 #68d8d0 #e8fff0 #5aa8d8 #2c4aa0 #0c1444",
    "rosewater": "#1c0a14 #5c1c3c #a83c64 #e87890 #ffc4c0 #fff4e8 #e8b8d0 #9c74a8 #3c3058",
    "opal": "#1a2038 #48689c #84b8c8 #d4f0dc #fdf6e0 #f8c8b8 #d88cb0 #8464ac #343468",
    "orchard": "#140c06 #54200c #a0481c #d88c34 #e8cc74 #b0b450 #5c803c #284c34 #0c201c",
    "aurora": "#02080c #063830 #10886c #4ce0a0 #d0ffc8 #68c8e0 #5068d8 #8438b8 #28104c",
    "nebula": "#05040c #1c1448 #4c2c94 #9c48b4 #f07ca0 #ffd0a8 #fff8ec #70b8dc #1c4c84",
    "herbarium": "#1e2a14 #2f4a1e #4d6b2c #6f8436 #8d8a3a #7a5a2c #59391f #3b2a1a #26301a",
    "spectrum": "#c8324c #ee7432 #f7c640 #8ccc50 #2cb48c #2a9cd0 #4a64cc #8a4cbc #c43c94",
    "reef": "#020814 #0a2a5c #1a62b8 #38b0d0 #b8f0dc #fff0c0 #f8b050 #e0603c #5a1438",
    "moonstone": "#06080e #1c2636 #44566e #8496aa #d0d8de #fffaf0 #d4c4ac #86745e #2e2620",
}


def srgb_to_linear(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def linear_to_srgb(v):
    v = min(1.0, max(0.0, v))
    return 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


def oklab_from_hex(text):
    r, g, b = (srgb_to_linear(int(text[i : i + 2], 16) / 255) for i in (1, 3, 5))
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def hex_from_oklab(lab):
    lightness, a, b = lab
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    rgb = (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )
    return "".join(f"{round(255 * linear_to_srgb(v)):02x}" for v in rgb)


def palette_colors(name):
    """256 colors as rrggbb: the stops on a circle, eased so that no stop shows as a crease."""
    stops = [oklab_from_hex(stop) for stop in PALETTES[name].split()]
    colors = []
    for i in range(256):
        t = i / 256 * len(stops)
        k = int(t)
        u = t - k
        u = 0.5 * u + 0.5 * u * u * (3 - 2 * u)
        left, right = stops[k], stops[(k + 1) % len(stops)]
        colors.append(hex_from_oklab([p + (q - p) * u for p, q in zip(left, right)]))
    return colors


def palettes_xml():
    lines = ["<!-- CC0, made for kiln -->", "<palettes>"]
    for number, name in enumerate(PALETTES):
        data = ["00" + color for color in palette_colors(name)]
        lines.append(f'<palette number="{number}" name="{name}" data="{"".join(data)}"/>')
    return "\n".join(lines + ["</palettes>", ""])


# -------------------------------------------------------------------------------- pieces of a flame


def number(v):
    return str(v) if isinstance(v, (str, int)) else f"{v:.9g}"


def attributes(pairs):
    return " ".join(f'{key}="{number(value)}"' for key, value in pairs.items())


def turn(degrees, scale=1.0, x=0.0, y=0.0, stretch=1.0):
    """coefs of a turn with scaling, then a shift; `stretch` scales the second axis once more."""
    c, s = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    return matrix(c, s, -s * stretch, c * stretch, x, y)


def matrix(a, d, b, e, c=0.0, f=0.0):
    """x' = a x + b y + c, y' = d x + e y + f, in the order of the attribute."""
    return " ".join(f"{round(v, 9) + 0.0:.9g}" for v in (a, d, b, e, c, f))


def mobius(a, b, c, d):
    parts = {}
    for letter, value in zip("abcd", (a, b, c, d)):
        parts[f"mobius_re_{letter}"] = round(value.real, 9) + 0.0
        parts[f"mobius_im_{letter}"] = round(value.imag, 9) + 0.0
    return dict(mobius=1, **parts)


def xform(weight, color, coefs="1 0 0 1 0 0", speed=0.5, **rest):
    return ("xform", dict(weight=weight, color=color, color_speed=speed, **rest, coefs=coefs))


def final(coefs="1 0 0 1 0 0", color=0, speed=0, **rest):
    return ("finalxform", dict(color=color, color_speed=speed, **rest, coefs=coefs))


def symmetry(kind):
    return ("symmetry", dict(kind=kind))


LOOK = dict(  # what a flame has unless it says otherwise
    size="1280 720",
    center="0 0",
    scale=200,
    supersample=1,
    filter=0.5,
    filter_shape="gaussian",
    quality=300,
    background="0 0 0",
    brightness=4,
    gamma=3,
    gamma_threshold=0.01,
    vibrancy=1,
    estimator_radius=9,
    estimator_minimum=0,
    estimator_curve=0.4,
    palette_mode="linear",
)


COMMENT = "<!-- CC0, made for kiln -->"


def flame_xml(name, palette, look, parts):
    head = dict(name=name, **{**LOOK, **look})
    lines = [f"<flame {attributes(head)}>"]
    lines += [f"  <{tag} {attributes(pairs)}/>" for tag, pairs in parts]
    colors = palette_colors(palette)
    lines.append('  <palette count="256" format="RGB">')
    lines += ["    " + "".join(colors[i : i + 16]) for i in range(0, 256, 16)]
    return "\n".join(lines + ["  </palette>", "</flame>", ""])


# --------------------------------------------------------------------------------------- the flames

FLAMES = {}


def flame(name, palette, parts, **look):
    """Adds one flame; `look` overrides LOOK."""
    FLAMES[name] = (palette, look, parts)


HEIGHT = math.sqrt(3) / 2  # of an equilateral triangle of side 1

flame(
    "sierpinski",
    "dusk",
    [
        xform(1, color, matrix(0.5, 0, 0, 0.5, x, y), linear=1)
        for color, x, y in (
            (0.56, 0, -HEIGHT / 2),
            (0.28, -0.5, HEIGHT / 2),
            (0.86, 0.5, HEIGHT / 2),
        )
    ],
    size="1024 1024",
    scale=470,
    estimator_radius=0,
    brightness=1.2,
    quality=200,
    palette_mode="step",
)

flame(
    "bracken",
    "herbarium",
    [
        xform(84, 0.16, turn(-2.6, 0.872, 1.0, 0), speed=0.03, linear=1),
        xform(8, 0.02, turn(54, 0.33, 0.62, 0, stretch=0.86), linear=1),
        xform(8, 0.30, turn(-57, 0.32, 0.35, 0, stretch=-0.86), linear=1),
        xform(1, 0.62, matrix(0.17, 0, 0, 0), speed=0.9, linear=1),
    ],
    center="3.7 -0.25",
    scale=158,
    background="0.93 0.90 0.82",
    brightness=6,
)
flame(
    "heighway",
    "patina",
    [
        xform(1, 0.12, matrix(0.5, 0.5, -0.5, 0.5), speed=0.25, linear=1),
        xform(1, 0.72, matrix(-0.5, 0.5, -0.5, -0.5, 1, 0), speed=0.25, linear=1),
    ],
    center="0.4167 0.1667",
    scale=680,
    estimator_radius=0,
    brightness=0.85,
    quality=200,
)
flame(
    "coral",
    "reef",
    [
        xform(
            5.12, 0.62, turn(221.996, 0.79, -0.295, -0.385), 0.1, juliascope=0.971,
            juliascope_power=5, juliascope_dist=1,
        ),
        xform(1, 0.95, turn(4.937, 0.596, 0.774, -0.486), 0.6, linear=1),
        xform(
            0.75, 0.3, turn(206.48, 1.042, 0.234, -0.776), julian=0.712, julian_power=8,
            julian_dist=1,
        ),
    ],
    palette_mode="step",
    center="0.1 -0.03",
    scale=318,
    gamma=3.2,
    brightness=3.4,
)


def punctured_torus(trace_a, trace_b):
    """Two Moebius maps with a parabolic commutator, and their inverses.

    The recipe is Grandma's, from Mumford, Series and Wright, Indra's Pearls (2002), chapter 8.
    """
    p, q = trace_a * trace_b, trace_a**2 + trace_b**2
    root = cmath.sqrt(p * p - 4 * q)
    trace_ab = (p - root * (1 if root.imag > 0 else -1)) / 2  # the root below the real axis
    z = (trace_ab - 2) * trace_b / (trace_b * trace_ab - 2 * trace_a + 2j * trace_ab)
    a = (
        trace_a / 2,
        (trace_a * trace_ab - 2 * trace_b + 4j) / ((2 * trace_ab + 4) * z),
        (trace_a * trace_ab - 2 * trace_b - 4j) * z / (2 * trace_ab - 4),
        trace_a / 2,
    )
    b = ((trace_b - 2j) / 2, trace_b / 2, trace_b / 2, (trace_b + 2j) / 2)
    inverse = lambda m: (m[3], -m[1], -m[2], m[0])
    return [a, b, inverse(a), inverse(b)]


# A generator is never followed by its inverse, so the walk only goes outwards along reduced words.
flame(
    "indra",
    "spectrum",
    [
        xform(1, color, speed=0.35, **mobius(*generator), chaos=chaos)
        for generator, color, chaos in zip(
            punctured_torus(1.87 + 0.1j, 1.87 - 0.1j),
            (0.08, 0.34, 0.58, 0.84),
            ("1 1 0 1", "1 1 1 0", "0 1 1 1", "1 0 1 1"),
        )
    ],
    scale=330,
    rotate=62,
    brightness=3.2,
)
flame(
    "pearls",
    "rosewater",
    [
        xform(
            3.67, 0.103, turn(-70.85, 0.512, -0.025, -0.616), 0.15, julian=1.023, julian_power=-2,
            julian_dist=0.8,
        ),
        xform(0.9, 0.62, turn(143.685, 0.36, -0.685, 1.188), spherical=0.177, bubble=0.596),
        xform(0.81, 0.428, turn(40.65, 0.4, -0.886, -0.936), 0.6, bubble=0.524, pre_blur=0.449),
        xform(1, 0.021, turn(-61.74, 0.935, 0.199, 0.435), 0.1, linear=1),
    ],
    palette_mode="step",
    center="0.057 0.0135",
    scale=242,
    gamma=3.2,
    brightness=5,
    kiln_bloom="0.12 2 0.1",
    kiln_glare="6 15 0.3",
)
flame(
    "wildfire",
    "reef",
    [
        xform(
            2.41, 0.382, turn(230.7, 0.635, 0.54, 0.042), 0.2, bipolar=1.127, bipolar_shift=-0.721,
        ),
        xform(1, 0.987, turn(191.92, 0.555, -0.538, 0.465), curl=0.706, curl_c1=1, curl_c2=0),
        xform(0.365, 0.02, turn(158.33, 0.442, -0.603, -0.339), linear=1),
    ],
    center="-0.45 0.32",
    scale=245,
    brightness=7,
    highlight_power=0.5,
    gamma=3.4,
)
flame(
    "loom",
    "spectrum",
    [
        xform(4.29, 0.1, turn(177.336, 0.976, -0.229, 0.793), 0.3, linear=1, chaos="1 1 0.05 0"),
        xform(
            1, 0.35, turn(-80.357, 0.886, 0.527, -0.981), 0.3, julian=1, julian_power=-2,
            julian_dist=1, chaos="1 0.3 0.02 0",
        ),
        xform(
            1.5, 0.6, turn(175.199, 0.943, -0.362, -0.485), 0.3, waves2=1, waves2_freqx=1.092,
            waves2_scalex=0.1, waves2_freqy=5.744, waves2_scaley=0.1, chaos="0 0.05 1 1",
        ),
        xform(1, 0.85, turn(43.478, 0.434, 0.569, -0.934), 0.3, swirl=1, chaos="0 0.05 1 0.3"),
    ],
    center="-0.134 0",
    scale=228,
    brightness=5,
)
SEAHORSE = [
    xform(7.79, 0.1, turn(7.674, 0.855, 0.826, -0.522), 0.3, linear=1, chaos="1 1 0.05 0"),
    xform(1, 0.35, turn(136.617, 0.788, 0.715, 1), 0.3, linear=1, chaos="1 0.3 0.02 0"),
    xform(
        1.48, 0.6, turn(74.95, 0.698, -0.473, -0.543), 0.3, julian=1, julian_power=3,
        julian_dist=1, chaos="0 0.05 1 1",
    ),
    xform(
        1, 0.85, turn(-67.188, 0.574, 0.453, -0.159), 0.3, waves2=1, waves2_freqx=2.032,
        waves2_scalex=0.1, waves2_freqy=2.776, waves2_scaley=0.1, chaos="0 0.05 1 0.3",
    ),
]
flame(
    "seahorse",
    "opal",
    SEAHORSE,

    center="1.69 1.12",
    scale=118,
    brightness=9,
)
flame(
    "meadow",
    "opal",
    SEAHORSE,
    center="0.7 1.6",
    scale=118,
    zoom=2,
    rotate=20,
    brightness=9,
    quality=25,
)
flame(
    "squall",
    "nebula",
    [
        xform(
            0.83, 0.08, turn(-57.43, 0.569, -0.137, -0.496), 0.3, waves2=1, waves2_freqx=1.247,
            waves2_scalex=0.2, waves2_freqy=3.103, waves2_scaley=0.2,
        ),
        xform(
            2.82, 0.42, turn(-81.32, 0.665, 0.435, 0.171), 0.3, waves2=1, waves2_freqx=4.001,
            waves2_scalex=0.2, waves2_freqy=2.457, waves2_scaley=0.2,
        ),
        xform(0.53, 0.8, turn(79.8, 0.669, -0.95, 0.35), 0.3, swirl=1),
        final(turn(188.413, 1.284, -0.506, -0.191), opacity=0.8, spherical=0.983),
    ],
    center="-0.38 0.38",
    scale=215,
)
flame(
    "rosewindow",
    "reef",
    [
        xform(2.46, 0.082, turn(-58.056, 0.44, -0.978, -0.432), 0.4, sinusoidal=0.735),
        xform(
            2.95, 0.899, turn(203.987, 0.549, 0.792, -0.692), 0.4, julian=0.998, julian_power=3,
            julian_dist=1,
        ),
        symmetry(-5),
    ],
    size="1024 1024",
    scale=420,
)
flame(
    "conch",
    "reef",
    [
        xform(
            3.92, 0.62, turn(-77.05, 0.541, -0.393, 0.063), 0.15, julian=0.801, julian_power=4,
            julian_dist=-0.7,
        ),
        xform(0.43, 0.8, turn(-3.18, 0.364, 1.253, 0.219), spherical=0.139, bubble=0.503),
        xform(0.82, 0.2, turn(56.71, 0.995, -0.976, 0.949), 0.6, bubble=0.75, pre_blur=0.387),
        xform(1.41, 0.68, turn(8.724, 0.73, -0.108, -0.198), 0.1, linear=1),
        xform(0.2, 0.85, turn(20, 0.9, 1.2, -0.3), 0.4, julian=1.4, julian_power=-5, julian_dist=1),
        xform(0.08, 0.12, turn(0, 1, 0.2, 0.1), 0.8, gaussian_blur=1.1),
    ],
    scale=298,
    gamma=3.2,
    brightness=4.2,
    quality=500,
)
flame(
    "nautilus",
    "opal",
    [
        xform(
            20.8, 0.959, turn(22.709, 0.958, 0.243, 1.037), 0.05, waves2=1, waves2_freqx=3.698,
            waves2_scalex=0.165, waves2_freqy=5.13, waves2_scaley=0.184,
        ),
        xform(1, 0.811, turn(152.59, 0.398, -1.806, 1.525), 0.6, eyefish=0.586),
        xform(1, 0.425, turn(29.818, 0.381, 1.096, 1.845), 0.6, linear=0.819),
    ],
    palette_mode="step",
    center="-2.02 1.79",
    scale=150,
    brightness=6,
)
flame(
    "vertebrae",
    "peacock",
    [
        xform(
            15.76, 0.783, turn(16.44, 0.975, -1.069, -1.126), 0.05, waves2=1, waves2_freqx=4.8,
            waves2_scalex=0.159, waves2_freqy=8.019, waves2_scaley=0.08,
        ),
        xform(1, 0.729, turn(-73.68, 0.265, 0.853, 1.05), 0.6, spherical=0.985),
        xform(1, 0.078, turn(-12.38, 0.122, 0.995, 0.178), 0.6, linear=0.66),
    ],
    center="2.19 -4.38",
    scale=66,
    brightness=17,
    supersample=2,
    filter=1,
    filter_shape="bell",
)
flame(
    "halo",
    "abyss",
    [
        xform(0.76, 0.0, turn(-37.42, 0.57, -0.867, -0.197), 0.3, spherical=1),
        xform(2.5, 1.0, turn(95.459, 0.6, 0.073, -0.447), 0.3, spherical=1),
        final(
            turn(257.19, 1.242, 0.395, 0.368), opacity=0.8, juliascope=1.1, juliascope_power=3,
            juliascope_dist=-1,
        ),
    ],
    center="0.31 0.26",
    scale=234,
    quality=6,
    estimator_radius=20,
    estimator_curve=0.5,
)
flame(
    "amoeba",
    "aurora",
    [
        xform(
            9.55, 0.385, turn(141.276, 0.773, 0.11, -0.092), 0.08, julian=1, julian_power=3,
            julian_dist=1, opacity=0.8,
        ),
        xform(1, 0.763, turn(-83.743, 0.155, 0.288, 0.964), bubble=0.606),
        xform(1.25, 0.412, turn(45.96, 0.988, 0.542, -0.589), 0.3, spherical=0.325, opacity=0.3),
        xform(0.134, 0.216, turn(0, 1, 0.47, 0.131), 0.8, blur=0.265),
    ],
    center="0.05 0.04",
    scale=345,
    gamma=3.2,
    brightness=6,
)
flame(
    "lanterns",
    "dusk",
    [
        xform(
            7.17, 0.276, turn(123.6, 0.993, 0.459, -0.162), 0.08, julian=1, julian_power=2,
            julian_dist=1,
        ),
        xform(1, 0.878, turn(-57.19, 0.354, 0.774, -0.968), bubble=0.847, spherical=0.048),
        xform(1.29, 0.881, turn(-47.08, 1.266, 0.41, -0.881), 0.3, spherical=0.571),
        xform(0.275, 0.31, turn(0, 1, -0.237, -0.574), 0.8, blur=0.163),
    ],
    center="0 0.03",
    scale=400,
    gamma=3.2,
    brightness=6,
    soloxform=0,
    kiln_bloom="0.25 3 0.25",
)
flame(
    "whirligig",
    "ember",
    [
        xform(
            12.7, 0.27, matrix(1, 0, 0, 1, 0.785778769, 0.196289808), 0.06, julian=1,
            julian_power=2, julian_dist=1,
        ),
        xform(0.48, 0.974, turn(-27.3, 0.192, -0.487, 0.014), 0.6, blur=0.129),
        xform(0.47, 0.501, turn(235.8, 0.257, 0.361, -0.157), 0.6, eyefish=0.311),
    ],
    center="0 0",
    scale=385,
    brightness=6,
    quality=300,
    kiln_bloom="0.12 4 0",
    kiln_glare="4 30 0.25",
)
flame(
    "gauze",
    "nebula",
    [
        xform(2.93, 0.95, turn(250.23, 0.841, 0.125, 0.292), 0.35, handkerchief=1),
        xform(1, 0.4, turn(75.74, 0.927, -0.946, 0.35), 0.6, horseshoe=1),
    ],
    center="0.15 -0.375",
    scale=270,
    gamma=2.8,
)


# ------------------------------------------------------------------------------------ the animations

ANIMATIONS = {}


def animation(name, keys):
    """Adds a file of key flames: (time, palette, parts, look) each."""
    ANIMATIONS[name] = keys


def tide(angle, sway, c1, c2, x, y):
    return [
        xform(
            4, 0.55, turn(angle, 0.985, x, y), 0.12, julian=1, julian_power=3, julian_dist=-0.9,
        ),
        xform(1.2, 0.15, turn(sway, 0.62, 0.35, -0.2), curl=1, curl_c1=c1, curl_c2=c2),
        xform(0.7, 0.9, turn(-40, 0.35, -0.5, 0.6), 0.6, bubble=0.8, pre_blur=0.3),
    ]


TIDE_LOOK = dict(
    center="-0.02 0.02",
    scale=245,
    brightness=5,
    quality=200,
    temporal_samples=50,
    temporal_filter_type="gaussian",
    temporal_filter_width=1.2,
)
LOW_TIDE = tide(20, 30, 0.6, 0.2, 0.4, 0.1)
animation(
    "tides",  # the last key is the first again: 120 frames without a seam
    [
        (0, "opal", LOW_TIDE, TIDE_LOOK),
        (40, "reef", tide(50, 75, 0.9, 0.1, 0.5, -0.1), TIDE_LOOK),
        (80, "aurora", tide(-15, -10, 0.3, 0.5, 0.3, 0.25), TIDE_LOOK),
        (120, "opal", LOW_TIDE, TIDE_LOOK),
    ],
)


def animation_xml(name, keys):
    flames = [
        flame_xml(f"{name}_{time}", palette, dict(time=time, **look), parts)
        for time, palette, parts, look in keys
    ]
    return "\n".join([COMMENT, "<flames>", *flames]) + "</flames>\n"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "flames"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "palettes.xml").write_text(palettes_xml())
    for name, (palette, look, parts) in FLAMES.items():
        (folder / f"{name}.flam3").write_text(
            f"{COMMENT}\n{flame_xml(name, palette, look, parts)}"
        )
    for name, keys in ANIMATIONS.items():
        (folder / f"{name}.flam3").write_text(animation_xml(name, keys))


if __name__ == "__main__":
    main()
