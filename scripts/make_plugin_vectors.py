#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/variations/plugin_forms.txt, the rows that tests/variations/plugin_test.cpp compares pre_, regular and post_ forms with.

    scripts/make_plugin_vectors.py <plugin-vectors.json> tests/variations/plugin_forms.txt

The input holds what Ember, the library of Fractorium, printed for one application of a transform. Every row of it, random ones
with the draws that it made, is first compared with plugin_formulas.py, in double. What agrees there is what the C++ is tested with;
where Ember means something else than flam3 by a name of the 99, the row is of kiln's name for that (ember_cross).

  form  coefs post color_in color_speed xform_color var_color x y z  chain  out_x out_y out_z color  spread of each
  view  zpos persp pitch yaw dof blur_curve half_width half_height  x y z  two draws  out_x out_y
  chain: stage:index:weight:parameters, one behind the other with /

spread: how far the output moves, to first order, when every input moves by its own size, as in make_variation_vectors.py.
"""

import json
import math
import sys

import flame_formulas as ff
from plugin_formulas import FORMS, Place

INDEX = {name.lower(): i for i, (name, _, _, _) in enumerate(ff.TABLE)}
WEIGHED = set('''linear sinusoidal spherical swirl horseshoe polar disc spiral hyperbolic pdj fan2 rings2 eyefish noise julian
 juliascope blur gaussian_blur radial_blur ngon rectangles square cross escher foci lazysusan loonie polar2 separation splits wedge
 log auger mobius bipolar waves2'''.split())
SUMS = {'arch', 'blur', 'gaussian_blur', 'pie', 'square'}
DEPTHS = {'bubble': lambda q: q.w * 2 / (q.r2 / 4 or 2.0**-52), 'cylinder': lambda q: q.w * math.cos(q.x),
          'flux': lambda q: q.z, 'pre_blur': lambda q: q.z + q.w * q.z}
# of flam3's own, where Ember has others
EMBER_DEFAULTS = {
    'auger_freq': 5, 'auger_scale': 0.1, 'escher_beta': 3, 'fan2_x': 0.70710678, 'fan2_y': -0.70710678,
    'lazysusan_spin': math.pi, 'mobius_re_a': 1, 'mobius_re_d': 1, 'modulus_x': 1, 'modulus_y': 1, 'pie_rotation': 0.5,
    'popcorn2_x': 0.1, 'popcorn2_y': 0.1, 'popcorn2_c': 3, 'rings2_val': 1, 'separation_x': 1, 'separation_y': 1,
    'split_xsize': 0.5, 'split_ysize': 0.5, 'stripes_space': 0.5, 'waves2_freqx': 2, 'waves2_freqy': 2,
    'wedge_angle': math.pi / 2, 'wedge_count': 2, 'wedge_sph_angle': math.pi / 2, 'wedge_sph_count': 2, 'whorl_inside': 1,
    'whorl_outside': 1}
# what Ember means otherwise in a mode of its own, by kiln's names; in both of its modes; with parameters that flam3 lacks
TWINS = {name: 'ember_' + name for name in '''sin cos tan sec csc cot sinh cosh tanh sech csch coth cross fan2 curve edisc
 escher juliascope circlecrop'''.split()}
ALWAYS = {'lazysusan': 'ember_lazysusan'}
EXTENDED = {'log_base': ('log', 'logn'), 'waves2_freqz': ('waves2', 'waves2z'), 'waves2_scalez': ('waves2', 'waves2z')}
# the same mode draws other numbers for these, and does not lose the point at a pole
OTHERS = {'julia', 'bipolar', 'glynnia', 'hypertile1'}
NEAR = {'cross', 'rings2'}  # flam3 adds 1e-10, which one point of each shows
STAGES = {'pre': 1, '': 0, 'post': 2}
ALIASES = {'linear3d': 'linear', 'pre_linear3d': 'pre_linear', 'post_linear3d': 'post_linear'}


class Form:
    def __init__(self, record, mode):
        name = record['variation'].lower()
        name = ALIASES.get(name, name)
        self.stage, rest = '', name
        for stage in ('pre', 'post'):
            if name.startswith(stage + '_') and name != 'pre_blur':
                self.stage, rest = stage, name[len(stage) + 1:]
        prefix = self.stage + '_' if self.stage else ''
        given = {key.lower().removeprefix(prefix): value for key, value in record['params'].items()}
        ours = self.kilns_name(rest, mode, given)
        given = {ours + key.removeprefix(rest): value for key, value in given.items()}
        self.index = INDEX[ours]
        self.name, self.formula, parameters, _ = ff.TABLE[self.index]
        self.weight = record['weight']
        self.values = [given.pop(p.lower(), EMBER_DEFAULTS.get(p, default)) for p, default in parameters]
        self.unknown = given
        if rest == 'cropn' and mode == 'ember':  # power radius scatterdist zero
            self.values[2:] = 2 * self.values[2], float(self.values[3] == 0)

    @staticmethod
    def kilns_name(name, mode, given):
        for parameter, (base, extended) in EXTENDED.items():
            if name == base and given.get(parameter):
                return extended
        return (ALWAYS | (TWINS if mode == 'ember' else {})).get(name, name)

    def out(self, q):
        """(X, Y, Z, color) and how it is put: the coordinates that are kept."""
        if self.name in FORMS:
            formula, kind, restarts = FORMS[self.name]
            got = formula(q)
        else:
            kind, restarts = 'sum' if self.name in SUMS else 'assign', ''
            x, y = self.formula(q)[:2]
            depth = DEPTHS.get(self.name)
            got = (x, y, depth(q) if depth else q.w * q.z if self.name in WEIGHED else None)
        z = got[2]
        color = got[3] if len(got) > 3 else q.color
        if self.stage == '':
            keeps = ''.join(axis for axis in 'xyz' if axis not in restarts)
        else:
            keeps = {'sum': 'xyz', 'depth': 'xy', 'assign': 'z' if z is None else ''}[kind]
        return (got[0], got[1], 0.0 if z is None else z), color, keeps


def affine(m, x, y):
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


class Transform:
    def __init__(self, record):
        self.record = record
        self.forms = [Form(c, record['mode']) for c in record['chain'] if c['weight'] != 0]
        last = lambda form: form.name == 'flatten'
        self.forms.sort(key=lambda form: (('pre', '', 'post').index(form.stage), last(form)))
        self.coefs = record.get('coefs', [1, 0, 0, 1, 0, 0])
        self.post = record.get('post', [1, 0, 0, 1, 0, 0])

    def apply(self, draws, nudge=(None, None, 0.0)):
        """`nudge`: (number of the form, what of it, by how much)."""
        r = self.record
        speed = r.get('color_speed', 0)
        color = before = speed * r.get('xform_color', 0) + (1 - speed) * r.get('color_in', 0)
        point = (*affine(self.coefs, *r['in'][:2]), r['in'][2])
        total, passed = (0.0, 0.0, 0.0), None
        has_regular = any(form.stage == '' for form in self.forms)
        if not has_regular and not any(form.stage == 'pre' for form in self.forms):
            passed = total
        changed = False
        for k, form in enumerate(self.forms):
            if form.stage == 'post' and passed is None:
                passed = total if has_regular else point
                total = passed
            at = list(total if form.stage == 'post' else point)
            what, by = nudge[1:] if nudge[0] == k else (None, 0.0)
            if what in ('ax', 'ay', 'az'):
                at['xyz'.index(what[1])] *= 1 + by
            q = Place(at[0], at[1], form.weight, form.values, self.coefs, draws, (what, by))
            q = Place.of(q, at[2], color, tuple(point) if form.stage != 'pre' else tuple(at))
            out, color_after, keeps = form.out(q)
            changed = changed or form.name in ('falloff2', 'falloff3')
            color = color_after
            there = point if form.stage == 'pre' else total
            put = tuple((t if axis in keeps else 0.0) + o for axis, t, o in zip('xyz', there, out))
            if form.stage == 'pre':
                point = put
            else:
                total = put
        if not has_regular and passed is None:
            total = point
        color = before + r.get('var_color', 1) * (color - before) if changed else before
        return (*affine(self.post, total[0], total[1]), total[2], color)

    def spread(self, draws_again):
        step, sums = 1e-7, [0.0] * 4
        here = self.apply(draws_again())
        for k, form in enumerate(self.forms):
            names = ['ax', 'ay', 'az', 'weight', 'pi', 'angle'] + list(range(len(form.values)))
            for name in names:
                sides = [self.apply(draws_again(), (k, name, h)) for h in (step, -step)]
                for i in range(4):
                    changes = [abs(side[i] - here[i]) / step for side in sides]
                    finite = [c for c in changes if math.isfinite(c)]
                    sums[i] += min(finite) if finite else math.inf
        return sums


class Given:
    """The draws that Ember made."""

    def __init__(self, record):
        self.words, self.bits, self.next, self.next_bit = record.get('draws', []), record.get('bits', []), 0, 0

    def word(self):
        self.next += 1
        return self.words[self.next - 1] if self.next <= len(self.words) else 0  # by a factor of 0

    def uniform(self): return self.word() / 4294967295

    def bit(self):
        self.next_bit += 1
        return self.bits[self.next_bit - 1]


def agrees(record):
    Place.sparing = Place.reversed_draws = True
    Place.K = lambda q, n: float((q._draws.word() * int(n)) >> 32)
    got = Transform(record).apply(Given(record))
    wanted = (*record['out'], record['color_out'])
    size = max([abs(v) for v in wanted if v is not None] + [1e-3])
    return all(v is None or abs(g - v) <= 3e-8 * size for g, v in zip(got, wanted)), got


def number(v): return '%d' % v if v == int(v) and abs(v) < 1e6 else '%.9g' % v
def listed(values): return ','.join(map(number, values)) or '-'


def row(record, transform):
    chain = '/'.join('%d:%d:%s:%s' % (STAGES[f.stage], f.index, number(f.weight), listed(f.values)) for f in transform.forms)
    out = (*record['out'], record['color_out'])
    fields = [listed(transform.coefs), listed(transform.post)]
    fields += [number(record[key]) for key in ('color_in', 'color_speed', 'xform_color', 'var_color')]
    fields += [number(v) for v in record['in']] + [chain] + ['%.10g' % v for v in out]
    return 'form ' + ' '.join(fields + ['%.3g' % s for s in transform.spread(lambda: Given(record))])


def ours(record, transform):
    """Whether kiln means the same by the names, and finds the point."""
    unsettled = record['mode'] == 'ember' and any(f.name in OTHERS for f in transform.forms)
    state = any(f.name == 'smartcrop' and (f.values[9] == 2 or f.stage != 'post') for f in transform.forms)
    other = any(f.name in ('stripes', 'bipolar') for f in transform.forms)  # rounds otherwise, and has no bad bipolar
    return not unsettled and not other and not state and not any(f.unknown for f in transform.forms)


VIEW = ('cam_zpos', 'cam_persp', 'cam_pitch', 'cam_yaw', 'cam_dof', 'blur_curve', 'half_width', 'half_height')


def view_row(record):
    draws = [word / 4294967295 for word in record['draws'][:2]] or [0, 0]
    fields = [number(record[key]) for key in VIEW] + [number(v) for v in record['in']]
    return 'view ' + ' '.join(fields + ['%.10g' % v for v in draws + record['out'][:2]])


def main():
    with open(sys.argv[1]) as file:
        vectors = json.load(file)
    lines, left_out, wrong = [], 0, []
    for kind in ('deterministic', 'streams'):
        for record in vectors[kind]:
            transform = Transform(record)
            lost = record.get('bad') or any(v is None or abs(v) > 1e10 for v in record['out'])
            if lost or not ours(record, transform):
                left_out += 1
                continue
            good, got = agrees(record)
            if not good and not any(f.name in NEAR for f in transform.forms):
                wrong.append((record, got))
            elif not good:
                left_out += 1
            elif kind == 'deterministic' and None not in record['out']:
                lines.append(row(record, transform))
    print('%d rows, %d left out, %d that the formulas do not have' % (len(lines), left_out, len(wrong)))
    for record, got in wrong:
        print(json.dumps(record)[:420], got)
    lines += map(view_row, vectors['projection'])
    with open(sys.argv[2], 'w') as file:
        file.write('# made by scripts/make_plugin_vectors.py, which explains the columns\n')
        file.write('\n'.join(lines) + '\n')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
