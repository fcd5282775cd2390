// SPDX-License-Identifier: MIT
// What may stand in a formula, to be looked up while one is typed (docs/use/formulas.md).

import {make} from '../base/elements.js';

const words = [
  ['the point', 'x y z color, r r2 phi theta'], ['the xform', 'weight, affine_a … affine_f'],
  ['numbers', '1.5 2e-3 pi, parameters, names of let'],
  ['arithmetic', '+ - * / ^ %, mod(a, b), fma(a, b, c)'],
  ['choices', 'x > 0 ? a : b, select(x > 0, a, b); < <= > >= == != and or not'],
  ['rounding', 'floor ceil trunc round rint abs sign min max clamp(v, low, high) copysign'],
  ['angles', 'sin cos tan asin acos atan atan2(y, x), sinpi cospi tanpi'],
  ['growth', 'sqrt exp exp2 log log10 log1p pow(a, b) hypot(a, b) sinh cosh tanh'],
  ['chance', 'random(a): one number from 0 to 1 for each name and point']
];

export class FormulaHelp {
  constructor() {
    this.element = make(
        'details', {}, make('summary', {}, 'What may stand in a formula'),
        make('dl', {}, ...words.flatMap(([what,
                                          says]) => [make('dt', {}, what), make('dd', {}, says)])));
  }
}
