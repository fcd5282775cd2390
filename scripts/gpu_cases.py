#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flames for scripts/test-gpu: every variation, every feature, every sample, to be rendered on two devices and compared by pixel hash.

    gpu_cases.py write KILN FOLDER [EVERY]  writes FOLDER/<group>/<name>.flam3, of each group every EVERY-th, and FOLDER/groups.tsv
    gpu_cases.py render KILN FOLDER BACKEND OUT.tsv [JOBS]   renders all, writes group, flame, hash, seconds
    gpu_cases.py compare A.tsv B.tsv        prints a table; the last line counts; exit code 1 if a hash differs

No random numbers: the same script gives the same flames.
"""

import collections
import concurrent.futures
import json
import math
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Where a default would draw nothing of interest, or a number has to be whole.
PARAMETERS = {
    "julian_power": 3, "juliascope_power": 4, "cpow_power": 3, "wedge_julia_power": 2, "wedge_julia_count": 2, "wedge_count": 3,
    "wedge_sph_count": 2, "super_shape_m": 4, "super_shape_rnd": 0.3, "flower_petals": 5, "blob_low": 0.4, "blob_waves": 5,
    "ngon_sides": 5, "ngon_corners": 1.5, "pie_slices": 6, "stripes_space": 0.4, "stripes_warp": 0.6, "perspective_dist": 2.2,
    "perspective_angle": 0.6, "mobius_re_a": 0.9, "mobius_re_d": 1.1, "mobius_im_b": 0.5, "mobius_re_c": 0.3, "mobius_im_c": -0.4,
    "cell_size": 0.6, "rings2_val": 0.7, "rectangles_x": 0.7, "rectangles_y": 0.5, "split_xsize": 0.4, "split_ysize": 0.6,
    "conic_eccentricity": 0.8, "conic_holes": 0.2, "parabola_height": 1, "parabola_width": 0.8, "escher_beta": 0.4,
    "curl_c1": 0.4, "curl_c2": 0.2, "cpow_i": 0.2,
}


def palette(alpha=False):
    lines = []
    for i in range(256):
        wave = [round(127.5 + 127.5 * math.cos(2 * math.pi * (i / 255 + phase))) for phase in (0, 0.33, 0.67)]
        text = " ".join(map(str, wave))
        lines.append(f'<color index="{i}" rgba="{text} {i / 255:.6f}"/>' if alpha else f'<color index="{i}" rgb="{text}"/>')
    return "\n".join(lines)


def attributes(values):
    return " ".join(f'{key}="{value}"' for key, value in values.items())


def xform(kind="xform", coefs="0.5 0 0 0.5 0 0", **values):
    text = {"color": 0.5, **values, "coefs": coefs}
    if kind == "xform":
        text = {"weight": 1, **text}
    return f"<{kind} {attributes(text)}/>"


def flame(xforms, children=None, **values):
    head = {"size": "256 192", "center": "0 0", "scale": 60, "quality": 60, "estimator_radius": 0, "brightness": 6, "gamma": 3, **values}
    return f"<flame {attributes(head)}>\n" + "\n".join(xforms) + "\n" + (children or palette()) + "\n</flame>\n"


def plain(**more):
    """Three xforms; `more` goes to the last one."""
    return [
        xform(color=0, linear=1, coefs="0.6 0.3 -0.3 0.6 0.5 -0.2"),
        xform(color=0.4, linear=0.3, spherical=0.5, coefs="0.7 -0.2 0.2 0.7 -0.6 0.3"),
        xform(color=1, swirl=0.6, **more, coefs="0.5 0.1 -0.2 0.6 0.1 0.7"),
    ]


def variation_flames(kiln):
    listed = json.loads(subprocess.run([kiln, "variations", "--json"], check=True, capture_output=True).stdout)
    for number, variation in enumerate(listed):
        name = variation["name"]
        parameters = {}
        for i, parameter in enumerate(variation["parameters"]):
            usual = parameter["default"] or 0.3 + 0.17 * ((7 * number + 3 * i) % 5)
            parameters[parameter["name"]] = PARAMETERS.get(parameter["name"], usual)
        subject = {"linear": 0.2, name: 0.8, **parameters}
        if name == "linear":
            subject = {"linear": 0.9}
        yield f"{number:02d}_{name}", flame([
            xform(color=0, linear=1, coefs="0.6 0.3 -0.3 0.6 0.5 -0.2"),
            xform(color=0.3, linear=1, coefs="0.5 -0.4 0.4 0.5 -0.6 0.4"),
            xform(color=1, **subject, coefs="0.8 0.2 -0.3 0.7 0.2 0.3", post="0.9 0.1 -0.1 0.9 0.1 0"),
        ], size="128 96", scale=30)


def many(count, xaos):
    for f in range(count):
        angle = 2 * math.pi * f / count
        a, b = 0.45 * math.cos(3 * angle), 0.45 * math.sin(3 * angle)
        values = {"weight": 1 + f % 4, "color": round(f / count, 6), ("linear", "spherical", "julia", "bubble")[f % 4]: 0.8}
        if xaos:
            values["chaos"] = " ".join(str((f * 5 + to * 3) % 4) for to in range(count))
        yield xform(coefs=f"{a:.6f} {b:.6f} {-b:.6f} {a:.6f} {math.cos(angle):.6f} {math.sin(angle):.6f}", **values)


def feature_flames():
    random_final = xform("finalxform", color=0.2, color_speed=0.3, julia=1, coefs="1 0 0 1 0.2 0")
    half_final = xform("finalxform", color=0.8, color_speed=0.5, opacity=0.6, spherical=1, coefs="1.1 0 0 1.1 0.3 0.1")
    opacities = [xform(color=c, opacity=o, linear=0.8, coefs=m) for c, o, m in
                 [(0, 1, "0.6 0.3 -0.3 0.6 0.5 -0.2"), (0.4, 0.5, "0.5 -0.4 0.4 0.5 -0.6 0.4"), (0.7, 0.07, "0.7 0 0 0.3 0 0.5"), (1, 0, "0.4 0 0 0.4 0 -1")]]
    xaos = [xform(color=0, linear=1, chaos="0 1 1", coefs="0.6 0.3 -0.3 0.6 0.5 -0.2"),
            xform(color=0.5, julia=1, chaos="1 0.1 2", coefs="0.9 0 0 0.9 0.3 0.2"),
            xform(color=1, linear=0.7, chaos="3 1", coefs="0.5 -0.4 0.4 0.5 -0.6 0.4")]
    yield "plain", flame(plain())
    yield "random", flame(plain(julia=0.4, blur=0.1, pre_blur=0.3))
    yield "xaos", flame(xaos)
    yield "xaos_many", flame(list(many(40, True)), scale=40)
    yield "xforms_many", flame(list(many(40, False)), scale=40)
    yield "xform_one", flame([xform(linear=0.6, spherical=0.3, pre_blur=0.5, coefs="0.8 0.3 -0.3 0.8 0.5 0.1")])
    yield "final_random", flame(plain() + [random_final])
    yield "final_opacity", flame(plain() + [half_final])
    yield "final_xaos", flame(xaos + [half_final], supersample=2)
    yield "opacities", flame(opacities)
    yield "opacities_linear", flame(opacities, palette_mode="linear")
    yield "palette_linear", flame(plain(), palette_mode="linear")
    yield "palette_alpha", flame(plain(), children=palette(alpha=True))
    yield "palette_alpha_linear", flame(opacities, children=palette(alpha=True), palette_mode="linear")
    yield "color_beyond", flame(plain(color_speed=0.9) + [xform(color=1.7, linear=0.5, coefs="0.5 0 0 0.5 0.5 0.5")])
    yield "density_wide", flame(plain(), estimator_radius=20, estimator_curve=0.5, quality=5)
    yield "density_minimum", flame(plain(), estimator_radius=9, estimator_minimum=2, estimator_curve=0.4, quality=20)
    yield "density_supersample", flame(plain(), estimator_radius=11, supersample=3, quality=30)
    yield "clean", flame(plain(), kiln_clean=1, quality=5)
    yield "clean_share", flame(plain(), kiln_clean=0.6, supersample=3, quality=20, children=palette(alpha=True))
    yield "clean_clumps", flame(plain() + [xform(weight=5, color=0.5, color_speed=0, linear=1, coefs="1 0 0 1 0 0")], kiln_clean=1, passes=2, quality=10)
    yield "supersample", flame(plain(), supersample=2, filter=1)
    for shape in ("box", "hermite", "mitchell", "blackman", "catrom", "hanning", "lanczos3", "bspline"):
        yield f"filter_{shape}", flame(plain(), supersample=2, filter=1.3, filter_shape=shape, quality=20)
    yield "gamma_threshold", flame(plain(), gamma_threshold=0.3, gamma=4, quality=20)
    yield "vibrancy", flame(plain(), vibrancy=0.4, background="0.2 0.1 0.4", brightness=20)
    yield "highlights", flame(plain(), highlight_power=0.7, brightness=60)
    yield "highlights_cut", flame(plain(), highlight_power=-0.4, brightness=60)
    yield "rotated_zoomed", flame(plain(), rotate=35, zoom=0.7, center="0.3 -0.1", quality=20)
    yield "passes", flame(plain(), passes=2)
    yield "symmetry", flame(plain() + ['<symmetry kind="-5"/>'])
    yield "bad_values", flame(plain() + [xform(color=1, exponential=30, coefs="40 0 0 40 3 0"), xform(color=0.2, linear=1e6, coefs="1e6 0 0 1e6 0 0")])
    yield "one_pixel", flame([xform(linear=1, coefs="0.001 0 0 0.001 0.3 0.2"), xform(color=1, linear=1, coefs="0.001 0 0 0.001 0.3 0.2")])
    yield "tiles_odd", flame(plain(), size="129 65", quality=100)
    yield "tiny", flame(plain(), size="1 1", quality=5000)
    yield "few_samples", flame(plain(), quality=0.01)


def wild_flames(kiln):
    """Variations that flam3 does not have, pre_ and post_ forms of all, depth and its camera: kernels/extended_xform.h."""
    listed = json.loads(subprocess.run([kiln, "variations", "--json"], check=True, capture_output=True).stdout)
    camera = {"cam_pitch": 0.7, "cam_persp": 0.25, "cam_yaw": 0.2, "cam_zpos": 0.1}
    others = [xform(color=0, linear=1, coefs="0.6 0.3 -0.3 0.6 0.5 -0.2"), xform(color=0.3, hemisphere=0.8, coefs="0.5 -0.4 0.4 0.5 -0.6 0.4")]
    for number, variation in enumerate(listed):
        name = variation["name"]
        if name == "pre_blur":
            continue
        values = {"linear": 0.7, f"pre_{name}": 0.6, f"post_{name}": 0.8}
        for i, parameter in enumerate(variation["parameters"]):
            usual = parameter["default"] or 0.3 + 0.17 * ((7 * number + 3 * i) % 5)
            for stage in ("pre_", "post_"):
                values[stage + parameter["name"]] = PARAMETERS.get(parameter["name"], usual)
        text = xform(color=1, **values, coefs="0.8 0.2 -0.3 0.7 0.2 0.3", post="0.9 0.1 -0.1 0.9 0.1 0")
        yield f"forms_{number:03d}_{name}", flame(others + [text], size="128 96", scale=30)
        if number % 4 == 0:
            yield f"deep_{number:03d}_{name}", flame(others + [text], size="128 96", scale=30, **camera)
    forty = {variation["name"]: 0.05 for variation in listed[::max(1, len(listed) // 40)]}
    chain = xform(color=1, pre_bwraps=1, pre_curl=0.9, pre_curl_c1=0.3, linear=0.6, post_falloff2=1, post_falloff2_mul_c=0.8,
                  post_spherical=0.4, var_color=0.6, coefs="0.8 0.2 -0.3 0.7 0.2 0.3")
    xaos = [xform(color=0, linear=1, chaos="0 1 1", coefs="0.6 0.3 -0.3 0.6 0.5 -0.2"),
            xform(color=0.5, julia3D=0.9, chaos="1 0.1 2", coefs="0.9 0 0 0.9 0.3 0.2"),
            xform(color=1, hemisphere=0.7, pre_rotate_x=0.3, chaos="3 1", coefs="0.5 -0.4 0.4 0.5 -0.6 0.4")]
    final = xform("finalxform", color=0.8, color_speed=0.5, opacity=0.6, curl3D=1, curl3D_cz=0.2, post_bubble=0.7, coefs="1.1 0 0 1.1 0.3 0.1")
    planar = [v["name"] for v in listed if not v["parameters"] and v["name"] not in ("pre_blur", "linear")]
    yield "many_terms", flame([xform(color=f / 44, linear=0.5, coefs=f"0.5 {f / 90} {-f / 90} 0.5 {math.cos(f)} {math.sin(f)}",
                                     **{planar[(f * 3 + k) % len(planar)]: 0.1 for k in range(1, 4)}) for f in range(45)], scale=40)
    yield "forty", flame(others + [xform(color=1, **forty, coefs="0.8 0.2 -0.3 0.7 0.2 0.3")])
    yield "chain", flame(others + [chain])
    yield "chain_blurred", flame(others + [chain], **camera, cam_dof=0.4, blur_curve=1.5)
    yield "xaos_deep", flame(xaos + [final], **camera)
    yield "symmetry_deep", flame(others + [chain, '<symmetry kind="-5"/>'], **camera)
    yield "yaw_alone", flame(plain(), cam_yaw=0.5)
    around = dict(camera, filter=1.2, estimator_radius=4)
    yield "sphere", flame(others + [chain], size="96 48", kiln_projection="sphere", **around)
    yield "sphere_flat", flame(plain(), size="96 48", kiln_projection="sphere", rotate=40, supersample=2)
    yield "dome", flame(others + [chain], kiln_projection="dome", kiln_dome=220, **around)
    yield "dome_flat", flame(plain(), kiln_projection="dome")
    yield "stereo", flame(others + [chain], kiln_projection="stereo", kiln_eyes=0.2, cam_dof=0.2, **around)
    for path in sorted((HERE.parent / "flames" / "wild").glob("*.flame")):
        yield path.stem, path.read_text()


def jwildfire_flames():
    """Its dialect: final xforms, layers, color types, backgrounds, cameras and filters as JWildfire means them."""
    for path in sorted((HERE.parent / "tests" / "jwildfire").glob("*.flame")):
        yield path.stem, path.read_text()


def well_flames():
    """A billion times closer, to a point at which most steps gather: kernels/fine_xform.h."""
    well = dict(weight=60, color=0.5, color_speed=0.1, linear=1, coefs="0.5 0.3 -0.3 0.5 0.09 -0.19")
    closer = dict(center="0.3 -0.2", scale=60 * 2**30, quality=100, size="128 96", palette_mode="linear")
    for name in ("linear sinusoidal spherical swirl horseshoe handkerchief julia bent fisheye eyefish bubble cylinder julian juliascope curl "
                 "waves2 mobius bipolar blur gaussian_blur pre_blur").split():
        values = {"linear": 0.2, **{key: value for key, value in PARAMETERS.items() if key.startswith(name)}, name: 0.8}
        yield name, flame([xform(**well), *plain()[:2], xform(color=0.8, **values, coefs="0.7 0.2 -0.2 0.7 0.4 0.1", post="0.9 0.1 0 0.8 0.1 0.2")], **closer)
    yield "symmetry", flame([xform(**well), *plain(), '<symmetry kind="-5"/>'], **closer)
    yield "xaos", flame([xform(**well, chaos="1 0.5 2 1"), *plain(pre_blur=0.2)], **closer, rotate=30, supersample=2)
    yield "final", flame([xform(**well), *plain(), xform("finalxform", opacity=0.6, linear=1, post="1 0 0 1 1e-10 0", coefs="1 0 0 1 0 0")], **closer, cam_yaw=1e-11)
    yield "bad_values", flame([xform(**well), *plain(), xform(weight=2, color=0.2, linear=1e6, coefs="1e6 0 0 1e6 0 0")], **closer)


# Which options the feature flames are rendered with once more: group -> (options, flames; none: all)
AGAIN = {
    "options_16bit": ("--bits 16", None),
    "options_transparent": ("--transparent --bits 16", ["plain", "density_wide", "vibrancy", "palette_alpha"]),
    "options_earlyclip": ("--earlyclip", ["plain", "supersample", "filter_lanczos3", "density_supersample", "highlights"]),
    "options_compat": ("--compat flam3", ["plain", "xaos", "final_opacity", "bad_values", "few_samples"]),
    "options_seed": ("--seed 18446744073709551615", ["plain", "random", "xaos_many"]),
    "size_4k": ("--width 3840 --height 2160 --quality 2", ["plain", "xaos_many", "density_minimum"]),
    "size_8k": ("--width 7680 --height 4320 --quality 0.3", ["plain"]),
}


def write(kiln, folder, every):
    shutil.rmtree(folder, ignore_errors=True)
    groups = []

    def add(group, options, flames):
        (folder / group).mkdir(parents=True)
        for name, text in list(flames)[::every]:
            (folder / group / f"{name}.flam3").write_text(text)
        groups.append(f"{group}\t{options}\n")

    samples = [(path.stem, path.read_text()) for path in sorted((HERE.parent / "flames").glob("*.flam3"))]
    features = list(feature_flames())
    add("variations", "", variation_flames(kiln))
    add("features", "", features)
    add("wild", "--width 160", wild_flames(kiln))
    add("jwildfire", "--width 160 --quality-scale 0.2", jwildfire_flames())
    add("wells", "", well_flames())
    add("samples", "--width 320 --quality-scale 0.2", samples)
    for group, (options, wanted) in AGAIN.items():
        add(group, options, [feature for feature in features if wanted is None or feature[0] in wanted])
    (folder / "groups.tsv").write_text("".join(groups))


def render_some(kiln, backend, group, options, flames):
    """The answer of one `kiln render` of several flames."""
    command = [kiln, "render", *flames, *options.split(), "--backend", backend, "-o", "/dev/null", "--json", "--quiet"]
    result = subprocess.run(command, capture_output=True, text=True)
    if not result.stdout.startswith("{"):
        sys.exit(f"{group}: exit code {result.returncode}: {result.stderr[-2000:]}")
    answer = json.loads(result.stdout)
    for failure in answer["failed"]:
        print(f"{group}: {failure['item']}: {failure['message']}", file=sys.stderr)
    sys.stderr.write(result.stderr[-3000:] if answer["failed"] else "")
    return answer


def render(kiln, folder, backend, out, jobs):
    lines = []
    for line in (folder / "groups.tsv").read_text().splitlines():
        group, options = line.split("\t")
        flames = sorted(str(path) for path in (folder / group).glob("*.flam3"))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            parts = [pool.submit(render_some, kiln, backend, group, options, flames[job::jobs]) for job in range(min(jobs, len(flames)))]
            pictures = [picture for part in parts for picture in part.result()["pictures"]]
        for picture in pictures:
            if not picture["device"].startswith(backend):
                sys.exit(f"{group}: {picture['input']} was rendered by {picture['device']}, not by {backend}")
            name = pathlib.Path(picture["input"]).stem
            lines.append(f"{group}\t{name}\t{picture['pixel_hash']}\t{picture['seconds']:.3f}\n")
        print(f"{group}: {len(pictures)} of {len(flames)} flames, {sum(p['seconds'] for p in pictures):.1f} s", file=sys.stderr)
    out.write_text("".join(lines))


def read_hashes(path):
    table = {}
    for line in path.read_text().splitlines():
        group, name, pixels, seconds = line.split("\t")
        table[group, name] = pixels, float(seconds)
    return table


def compare(first, second):
    a, b = read_hashes(first), read_hashes(second)
    groups = collections.OrderedDict()
    for group, _ in a:
        groups.setdefault(group, [])
    print(f"{'group':<22} {'equal':>5} {'differ':>6} {'missing':>7} {first.stem + ' s':>9} {second.stem + ' s':>9}")
    passed = failed = 0
    for group in groups:
        keys = [key for key in a if key[0] == group]
        missing = [key[1] for key in keys if key not in b]
        differ = [key[1] for key in keys if key in b and a[key][0] != b[key][0]]
        equal = len(keys) - len(missing) - len(differ)
        passed += equal
        failed += len(missing) + len(differ)
        print(f"{group:<22} {equal:5d} {len(differ):6d} {len(missing):7d} {sum(a[k][1] for k in keys):9.1f} "
              f"{sum(b[k][1] for k in keys if k in b):9.1f}")
        for what, names in (("differ", differ), ("missing", missing)):
            if names:
                print(f"    {what}: {' '.join(names)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) in (3, 4) and arguments[0] == "write":
        write(arguments[1], pathlib.Path(arguments[2]), int((arguments + ["1"])[3]))
    elif len(arguments) in (5, 6) and arguments[0] == "render":
        render(arguments[1], pathlib.Path(arguments[2]), arguments[3], pathlib.Path(arguments[4]), int((arguments + ["1"])[5]))
    elif len(arguments) == 3 and arguments[0] == "compare":
        sys.exit(compare(pathlib.Path(arguments[1]), pathlib.Path(arguments[2])))
    else:
        sys.exit(__doc__)
