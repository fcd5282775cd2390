#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/variations/vectors.txt, the rows that tests/variations/variations_test.cpp compares kiln's variations with.

    scripts/make_variation_vectors.py <variation-vectors.json> tests/variations/vectors.txt [--rows 24]
    scripts/make_variation_vectors.py --more tests/variations/vectors.txt

The second adds the rows of variations that the file does not have yet: flam3 does not know them, their formulas do.
The input holds outputs of the real flam3 (deterministic rows, moments and quantiles of random ones). First every deterministic row
is compared with flame_formulas.py (1e-12). Then three kinds of rows are written:

  table   index name parameter=default ...
  point   source index weight parameters affine x y  out_x out_y spread_x spread_y  |  bad
  spread  index weight parameters affine x y  mean var cov bad_fraction quantiles outcomes

`point` rows come from flam3 (source f) and, as many per variation as --rows says, from the formulas at random parameters and points
of every size (source r), random variations included: there the draws are kiln's own, so the number and the order of the draws is
tested too. The generator of a row is that of tests/variations/evaluate.h with its place among the point rows.

spread_x, spread_y: how far the output moves, to first order, when every input (point, weight, parameters, affine values, draws, pi,
each angle) moves by its own size: |x dX/dx| + |y dX/dy| + ... . The rounding of inputs and intermediates to float moves the output
by about that times 2^-24, whatever the program does; the test allows 16 ulp of |out| + spread.
"""

import argparse
import json
import math
import random
import struct

import flame_formulas as ff
import plugin_formulas  # puts its variations into the table

assert plugin_formulas.FORMS

STEP = 1e-7
SEED = 20261121  # of the draws; variations_test.cpp passes the same
MASK = 0xFFFFFFFF


def to_float(v):
    return struct.unpack('f', struct.pack('f', v))[0]


class Draws:
    """kiln's generator (kernels/random.h) of the row-th evaluation."""

    def __init__(self, row):
        w = philox([row, 0, 0, 0], [SEED & MASK, SEED >> 32])
        self.s0, self.s1 = w[0], w[1] | 1

    def next(self):
        result = self.s0 * 0x9E3779BB & MASK
        t = self.s1 ^ self.s0
        self.s0 = ((self.s0 << 26 | self.s0 >> 6) ^ t ^ t << 9) & MASK
        self.s1 = (t << 13 | t >> 19) & MASK
        return result

    def uniform(self):
        return (self.next() >> 8) * 2.0**-24

    def bit(self):
        return self.next() >> 31


def philox(c, k):
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [p1 >> 32 ^ c[1] ^ k[0], p1 & MASK, p0 >> 32 ^ c[3] ^ k[1], p0 & MASK]
        k = [k[0] + 0x9E3779B9 & MASK, k[1] + 0xBB67AE85 & MASK]
    return c


IDENTITY = [1, 0, 0, 1, 0, 0]


class Case:
    def __init__(self, index, weight, values, affine, px, py):
        self.index, self.weight, self.values, self.affine, self.px, self.py = index, weight, values, affine, px, py

    def out(self, row, nudge=(None, 0.0)):
        a, d, b, e, c, f = self.affine
        name, by = nudge
        x, y = a * self.px + b * self.py + c, d * self.px + e * self.py + f
        # an affine in float rounds relative to its terms
        x += by * (abs(a * self.px) + abs(b * self.py) + abs(c)) if name == 'x' else 0
        y += by * (abs(d * self.px) + abs(e * self.py) + abs(f)) if name == 'y' else 0
        return ff.TABLE[self.index][1](ff.Point(x, y, self.weight, self.values, self.affine, Draws(row), nudge))

    def inputs(self):
        """Names of everything that rounding may move."""
        uses = ff.TABLE[self.index][3]
        return (['x', 'y', 'weight', 'pi', 'angle'] + list(range(len(self.values))) + ['affine%d' % i for i in uses] +
                ['draw%d' % i for i in range(1, 6)])

    def spread(self, row):
        """Sum over the inputs of |input * derivative|, per coordinate; of two one-sided differences the smaller (a jump, as of
        floor, on the one side is not a derivative)."""
        here, total = self.out(row), [0.0, 0.0]
        for name in self.inputs():
            sides = [self.out(row, (name, h)) for h in (STEP, -STEP)]
            for i in range(2):
                changes = [abs(side[i] - here[i]) / STEP for side in sides]
                finite = [change for change in changes if math.isfinite(change)]
                total[i] += min(finite) if finite else math.inf
        return total

    def is_regular(self, row):
        """No jump or change between good and bad within 16 ulp of a float, and outputs that double knows well."""
        here = self.out(row)
        lost = any(map(ff.is_bad, here))
        for name in self.inputs():
            for h in (2e-6, -2e-6, 3e-7, -3e-7):
                there = self.out(row, (name, h))
                if any(map(ff.is_bad, there)) != lost:
                    return False
                if not lost and any(abs(t - v) > 0.001 * max(map(abs, here)) for t, v in zip(there, here)):
                    return False
        if lost:
            return True
        spread = self.spread(row)
        for name in ('x', 'y'):
            for h in (3e-16, -3e-16, 9e-16):
                there = self.out(row, (name, h))
                if any(abs(t - v) > 1e-9 * (abs(v) + s) for t, v, s in zip(there, here, spread)):
                    return False
        return True

    def fields(self):
        affine = '-' if self.affine == IDENTITY else ','.join(map(number, self.affine))
        return '%d %s %s %s %s %s' % (self.index, number(self.weight), ','.join(map(number, self.values)) or '-', affine,
                                      number(self.px), number(self.py))


def number(v):
    return '%d' % v if v == int(v) and abs(v) < 1e6 else '%.10g' % v


def point_line(source, case, row, expected):
    if expected is None:
        return 'point %s %s bad' % (source, case.fields())
    return 'point %s %s %s %s %.3g %.3g' % (source, case.fields(), '%.10g' % expected[0], '%.10g' % expected[1],
                                            *case.spread(row))


def case_of(record):
    name, _, parameters, _ = ff.TABLE[record['index']]
    assert name == record['variation'] and {n for n, _ in parameters} == set(record['params'])
    return Case(record['index'], record['weight'], [record['params'][n] for n, _ in parameters], record['affine'], *record['in'])


def flam3_line(record, row):
    case = case_of(record)
    out = case.out(row)
    lost = any(map(ff.is_bad, out))
    assert lost == record['bad'], (record, out)
    if not lost:
        size = max(map(abs, record['out'])) or 1
        assert max(abs(a - b) for a, b in zip(out, record['out'])) <= 1e-12 * size, (record, out)
    return point_line('f', case, row, record['out'])


# ---- random cases ----

WHOLE = ('power', 'count', 'slices', 'sides', 'waves', 'petals', '_m')


def random_value(rng, name, default):
    if rng.random() < 0.15:
        return to_float(default)
    if name.endswith(WHOLE) and rng.random() < 0.7:
        return float(rng.choice([-4, -3, -2, 1, 2, 3, 5, 7]))
    return to_float(rng.choice([rng.uniform(-2, 2), rng.uniform(0, 1), rng.uniform(-7, 7)]))


def random_coordinate(rng):
    kind = rng.random()
    if kind < 0.5:
        return rng.gauss(0, 1)
    if kind < 0.9:
        return rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 3)
    return rng.choice([-1, 0, 1]) + rng.choice([-1, 1]) * 10 ** rng.uniform(-4, -1)


def random_case(rng, index):
    _, _, parameters, uses = ff.TABLE[index]
    weight = to_float(rng.choice([1.0, rng.uniform(0.1, 1.5), -rng.uniform(0.1, 1.5)]))
    affine = [to_float(rng.uniform(-1, 1)) for _ in IDENTITY] if uses else IDENTITY
    return Case(index, weight, [random_value(rng, *p) for p in parameters], affine,
                to_float(random_coordinate(rng)), to_float(random_coordinate(rng)))


def random_lines(rng, index, first_row, count):
    lines, lost_count = [], 0
    for _ in range(60 * count):
        case, row = random_case(rng, index), first_row + len(lines)
        if len(lines) == count:
            break
        if not case.is_regular(row):
            continue
        out = case.out(row)
        if index >= 99 and sum(v == 0 for v in out) == 1:
            continue  # it has no scale of its own
        lost = any(map(ff.is_bad, out))
        lost_count += lost
        if not lost or lost_count <= count // 8:
            lines.append(point_line('r', case, row, None if lost else out))
    return lines


# ---- random variations as a whole ----

def spread_line(record):
    q = record['quantiles']
    listed = lambda values: ','.join('%.9g' % v for v in values)
    outcomes = ';'.join(listed(o['out'] + [o['p']]) for o in record.get('outcomes', [])) or '-'
    return 'spread %s %s %s %.9g %.9g %s %s %s %s' % (
        case_of(record).fields(), listed(record['mean']), listed(record['var']), record['cov'], record['bad_fraction'],
        listed(q['p']), listed(q['x']), listed(q['y']), outcomes)


def table_line(index):
    name, _, parameters, _ = ff.TABLE[index]
    return ' '.join(['table %d %s' % (index, name)] + ['%s=%.10g' % p for p in parameters])


def add_more(rng, path, count):
    with open(path) as file:
        lines = file.read().splitlines()
    of = lambda kind: [line for line in lines if line.startswith(kind)]
    tables, points = of('table '), of('point ')
    for index in range(len(tables), len(ff.TABLE)):
        print('%d %s' % (index, ff.TABLE[index][0]))
        tables.append(table_line(index))
        points += random_lines(rng, index, len(points), count)
    with open(path, 'w') as file:
        file.write('\n'.join(of('#') + tables + points + of('spread ')) + '\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('vectors', nargs='?')
    parser.add_argument('output')
    parser.add_argument('--more', action='store_true', help='add variations that flam3 does not have')
    parser.add_argument('--rows', type=int, default=24, help='random rows per variation')
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    if arguments.more:
        return add_more(rng, arguments.output, arguments.rows)
    with open(arguments.vectors) as file:
        vectors = json.load(file)
    points = []
    for record in vectors['deterministic']:
        points.append(flam3_line(record, len(points)))
    for index in range(len(ff.TABLE)):
        points += random_lines(rng, index, len(points), arguments.rows)
    with open(arguments.output, 'w') as file:
        file.write('# made by scripts/make_variation_vectors.py, which explains the columns\n')
        for index in range(len(ff.TABLE)):
            file.write(table_line(index) + '\n')
        file.write('\n'.join(points) + '\n')
        for record in vectors['stochastic']:
            file.write(spread_line(record) + '\n')


if __name__ == '__main__':
    main()
