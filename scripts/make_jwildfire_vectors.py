#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_jwildfire_vectors.py VECTORS.json > tests/variations/jwildfire.txt: the numbers that JWildfire printed for its variations,
shorter. Rows:

  chain NAME:WEIGHT:PARAMETER=VALUE,... ...     forms in the order of the file; the rows below are of it
  PRESERVE_Z X Y Z COLOR > X Y Z COLOR [hide] [: DRAW ...]      a point, what it became, 32-bit integers that were drawn

make_jwildfire_vectors.py --shared CASES.json > tests/variations/jwildfire_shared.txt: likewise those of its variations that others
have, too, as attributes of an xform:

  ATTRIBUTES | X Y Z > X Y Z
"""
import json
import sys


def number(value):
    return 'nan' if value is None else f'{value:.15g}'


def of_kiln(form):
    """A form under kiln's names, which has an inverse beside the function as the pre_ form of it."""
    if form['variation'] != 'prepost_circlize':
        return [form]
    reverse = form['params'].get('reverse', 0)
    return [{'variation': f'{stage}_prepost_circlize', 'weight': form['weight'], 'params': {**form['params'], 'reverse': of_stage}}
            for stage, of_stage in (('pre', 1 - reverse), ('post', reverse))]


def shared(path):
    print('# made by scripts/make_jwildfire_vectors.py, which explains the rows')
    for case in json.load(open(path))['cases']:
        name = case['variation']
        if name not in ('rings', 'rings2', 'waves', 'hemisphere', 'bubble', 'curl3D', 'splits3D'):
            continue
        numbers = {name: [case['weight']], **{parameter: [value] for parameter, value in case['params'].items()}, 'coefs': case['coefs']}
        attributes = ' '.join(f'{key}="{" ".join(map(number, value))}"' for key, value in numbers.items())
        print(attributes, '|', *map(number, case['in']), '>', *map(number, case['out']))


def main(path):
    print('# made by scripts/make_jwildfire_vectors.py, which explains the rows')
    vectors = json.load(open(path))
    last = ''
    for group in ('deterministic', 'streams'):
        for case in vectors[group]:
            if 'rgb_out' in case or case.get('bad'):
                continue
            if case['preserve_z'] and case['chain'][0]['variation'] == 'primitives_wf' \
                    and case['chain'][0]['params'].get('shape') in (0, 3, 4):
                continue  # its flat shapes keep no depth in kiln
            # JWildfire has farblur behind the others alone, and kiln's reader takes it for the post_ form
            name_of = {'farblur': 'post_farblur'}
            chain = ' '.join(':'.join([name_of.get(form['variation'], form['variation']), number(form['weight']),
                                       ','.join(f'{name.replace(" ", "_")}={number(value)}' for name, value in form['params'].items())])
                             for said in case['chain'] for form in of_kiln(said))
            if chain != last:
                print('chain', chain)
                last = chain
            row = [case['preserve_z'], *map(number, case['in']), number(case['color_in']), '>', *map(number, case['out']),
                   number(case['color_out'])] + ['hide'] * bool(case.get('hide'))
            draws = case.get('draws', [])
            if 'ring' in case:  # of four numbers before the others; JWildfire's own draws renew one of them
                draws = case['ring'] + (draws[1:] if case['chain'][-1]['variation'] == 'farblur' else draws[:2])
            if draws:
                row += [':', *draws]
            print(*row)


if sys.argv[1] == '--shared':
    shared(sys.argv[2])
else:
    main(sys.argv[1])
