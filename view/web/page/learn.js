// SPDX-License-Identifier: MIT
// How a flame is made, step by step (learn.html, which names its scripts in their order). Steps 1 to 4 play the chaos game here (learn_game.js), since its single points
// are what they show; steps 5 to 7 ask kiln's engine (learn_engine.js). A step is drawn anew when something before it changed and
// it can be seen.
'use strict';

(() => {
  const {WIDTH, HEIGHT, bends, examples, palettes, play, fitted, colorsOf, xml} = self.kilnGame;
  const SEED = 1;
  const {at, canvas, COLORS, count, css, handle, made, pixels, slider} = self.kilnTools;

  const corners = [{x: 320, y: 40}, {x: 90, y: 440}, {x: 550, y: 440}];  // of step 1, in pixels
  let maps = examples.flame();
  let camera = fitted(maps);
  const look = {palette: 'ember', brightness: 4, gamma: 3.2, quality: 20, radius: 9};

  // ---- what is drawn when ----

  const order = ['points', 'maps', 'counts', 'light', 'color', 'grain', 'yours'];
  const draws = {};
  const stale = new Set(order), seen = new Set();
  let planned = false;

  function drawAll() {
    planned = false;
    for (const step of order) {
      if (!stale.has(step) || !seen.has(step)) continue;
      stale.delete(step);
      draws[step]();
      delete at(step).dataset.stale;
    }
  }

  function plan() {
    if (!planned) requestAnimationFrame(drawAll);
    planned = true;
  }

  function changed(...steps) {
    for (const step of steps) {
      stale.add(step);
      at(step).dataset.stale = '';
    }
    plan();
  }
  const flameChanged = () => changed('maps', 'counts', 'light', 'color', 'grain', 'yours');

  const watcher = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries)
      isIntersecting ? seen.add(target.id) : seen.delete(target.id);
    plan();
    const [first] = order.filter(
        (step) => seen.has(step) && at(step).getBoundingClientRect().bottom > innerHeight / 3);
    for (const link of document.querySelectorAll('nav a')) {
      if (link.hash !== `#${first}`) {
        link.removeAttribute('aria-current');
      } else if (!link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'step');
        document.querySelector('nav').scrollLeft = link.offsetLeft - innerWidth / 3;
      }
    }
  }, {threshold: [0, 0.2, 0.4, 0.6, 0.8]});

  const pixelX = (x) => (x - camera.x) * camera.scale + WIDTH / 2;
  const pixelY = (y) => (y - camera.y) * camera.scale + HEIGHT / 2;

  // ---- 1: a point jumps ----

  let marks = 13;
  let far = 0.5;
  let running = false;

  const cornerHandles =
      corners.map((corner, i) => handle('points', `Corner ${i + 1}`, i, 'corner', (dx, dy) => {
                    corner.x = Math.max(0, Math.min(WIDTH, corner.x + dx));
                    corner.y = Math.max(0, Math.min(HEIGHT, corner.y + dy));
                    changed('points');
                  }));

  function drawPoints() {
    const jumps = corners.map(({x, y}) => ({
                                weight: 1,
                                coefs: [1 - far, 0, 0, 1 - far, far * x, far * y],
                                bend: 'linear',
                                amount: 1
                              }));
    const context = canvas('points');
    const few = [];
    if (marks > 400) {
      pixels('points', (set) => play(jumps, marks, SEED, (x, y, map) => {
                         const i = Math.floor(x), j = Math.floor(y);
                         if (i >= 0 && j >= 0 && i < WIDTH && j < HEIGHT)
                           set(j * WIDTH + i, ...COLORS[map]);
                       }));
    } else {
      context.fillStyle = '#000';
      context.fillRect(0, 0, WIDTH, HEIGHT);
      play(jumps, marks, SEED, (x, y, map) => few.push({x, y, map}));
    }
    context.lineWidth = 1.5;
    if (few.length <= 40) {  // the way that it went
      for (let i = 1; i < few.length; ++i) {
        context.strokeStyle = css(COLORS[few[i].map], i === few.length - 1 ? 1 : 0.25);
        context.beginPath();
        context.moveTo(few[i - 1].x, few[i - 1].y);
        context.lineTo(few[i].x, few[i].y);
        context.stroke();
      }
      if (few.length > 1) {
        const last = few.at(-1), to = corners[last.map];
        context.setLineDash([2, 6]);
        context.strokeStyle = css(COLORS[last.map], 0.8);
        context.beginPath();
        context.moveTo(last.x, last.y);
        context.lineTo(to.x, to.y);
        context.stroke();
        context.setLineDash([]);
      }
    }
    for (const [i, {x, y, map}] of few.entries()) {
      context.fillStyle = css(COLORS[map]);
      context.beginPath();
      context.arc(x, y, i === few.length - 1 ? 5 : 2.5, 0, 7);
      context.fill();
    }
    for (const [i, {x, y}] of corners.entries()) cornerHandles[i].put(x, y);
  }
  draws.points = drawPoints;

  const putCount = slider(at('count'), (value) => count(10 ** value), (value) => {
    marks = Math.round(10 ** value);
    stop();
    changed('points');
  });
  slider(at('far'), (value) => `${value} %`, (value) => {
    far = value / 100;
    changed('points');
  });
  function setMarks(value) {
    marks = Math.min(200000, value);
    putCount(Math.log10(marks));
    at('count').parentElement.querySelector('output').textContent = count(marks);
    changed('points');
  }
  function stop() {
    running = false;
    at('run').setAttribute('aria-pressed', false);
    at('run').textContent = 'Run';
  }
  function runOn() {
    if (!running) return;
    setMarks(marks + Math.max(1, Math.round(marks / 40)));
    marks < 200000 ? requestAnimationFrame(runOn) : stop();
  }
  at('jump').onclick = () => setMarks(marks + 1);
  at('jumps').onclick = () => setMarks(marks + 10);
  at('run').onclick = () => {
    if (running) return stop();
    running = true;
    at('run').setAttribute('aria-pressed', true);
    at('run').textContent = 'Stop';
    if (marks >= 200000) setMarks(1);
    runOn();
  };

  // ---- 2: maps ----

  const parts = [
    [
      'place',
      (c, dx, dy) => {
        c[4] += dx;
        c[5] += dy;
      }
    ],
    [
      'corner X',
      (c, dx, dy) => {
        c[0] += dx;
        c[1] += dy;
      }
    ],
    [
      'corner Y',
      (c, dx, dy) => {
        c[2] += dx;
        c[3] += dy;
      }
    ],
  ];
  const mapHandles = maps.map(
      (_, i) => parts.map(
          ([name, move], part) =>
              handle('maps', `Map ${i + 1}, ${name}`, i, part > 0 ? 'corner' : '', (dx, dy) => {
                move(maps[i].coefs, dx / camera.scale, dy / camera.scale);
                flameChanged();
              })));
  for (const three of mapHandles) {
    three[1].button.append(made('b', {'aria-hidden': true}, 'x'));
    three[2].button.append(made('b', {'aria-hidden': true}, 'y'));
  }

  const triangleOf = ([a, d, b, e, c, f]) => [[c, f], [a + c, d + f], [b + c, e + f]].map(
      ([x, y]) => [pixelX(x), pixelY(y)]);

  function drawTriangle(context, points) {
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.closePath();
    context.stroke();
  }

  function drawMaps() {
    const POINTS = 250000, ADDED = 0.3;
    let inside = 0, all = 0;
    pixels('maps', (_, data) => play(maps, POINTS, SEED, (x, y, map) => {
                     const i = Math.floor(pixelX(x)), j = Math.floor(pixelY(y));
                     ++all;
                     if (!(i >= 0 && j >= 0 && i < WIDTH && j < HEIGHT)) return;
                     ++inside;
                     const pixel = 4 * (j * WIDTH + i), rgb = COLORS[map];
                     for (let k = 0; k < 3; ++k) data[pixel + k] += ADDED * rgb[k];
                   }));
    const context = canvas('maps');
    context.lineWidth = 1.5;
    context.setLineDash([4, 5]);
    context.strokeStyle = 'rgb(255 255 255 / 0.45)';
    drawTriangle(context, triangleOf([1, 0, 0, 1, 0, 0]));
    context.setLineDash([]);
    maps.forEach(({coefs, weight}, i) => {
      context.strokeStyle = css(COLORS[i], weight > 0 ? 0.95 : 0.4);
      const points = triangleOf(coefs);
      drawTriangle(context, points);
      points.forEach(([x, y], part) => mapHandles[i][part].put(x, y));
    });
    const said = all === 0 ?
        'No map has a weight: nothing is drawn. Give one some.' :
        inside < 0.5 * all ?
        `${
            Math.round(
                100 *
                (1 -
                 inside /
                     all))} % of the points are outside the picture: Fit the view looks for them.` :
        '';
    if (at('maps-said').textContent !== said) at('maps-said').textContent = said;
  }
  draws.maps = drawMaps;

  const putWeights = maps.map((_, i) => {
    const weight = made(
        'input',
        {type: 'range', min: 0, max: 10, step: 0.1, id: `weight-${i}`, value: maps[i].weight});
    const bend = made('select', {id: `bend-${i}`, 'aria-label': `Bend of map ${i + 1}`});
    bend.append(...Object.keys(bends).map(
        (name) => new Option(name === 'linear' ? 'no bend' : name, name)));
    at('weights').append(
        made(
            'label', {}, made('span', {class: `dot map${i}`}, `Map ${i + 1}`), weight,
            made('output')),
        made(
            'label', {class: 'bend'}, made('span', {}, ''), made('span', {}, 'bends the plane by'),
            bend));
    const put = slider(weight, (value) => value.toFixed(1), (value) => {
      maps[i].weight = value;
      flameChanged();
    });
    bend.onchange = () => {
      maps[i].bend = bend.value;
      flameChanged();
    };
    return () => {
      put(maps[i].weight);
      bend.value = maps[i].bend;
    };
  });

  function fit() {
    camera = fitted(maps);
    flameChanged();
  }
  at('fit').onclick = fit;
  at('example').onchange = () => {
    maps = examples[at('example').value]();
    for (const put of [...putWeights, ...putColors]) put();
    fit();
  };

  // ---- 3: counting ----

  function drawCounts() {
    const across = Math.round(2 ** at('buckets').value), size = WIDTH / across,
          down = Math.ceil(HEIGHT / size);
    const points = Math.round(10 ** at('samples').value);
    const sums = new Uint32Array(across * down);
    play(maps, points, SEED, (x, y) => {
      const i = Math.floor(pixelX(x) / size), j = Math.floor(pixelY(y) / size);
      if (i >= 0 && j >= 0 && i < across && j < down) ++sums[j * across + i];
    });
    const most = sums.reduce((a, b) => Math.max(a, b), 0);
    const context = canvas('counts');
    context.fillStyle = '#000';
    context.fillRect(0, 0, WIDTH, HEIGHT);
    context.font = `${Math.min(15, size / 3)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [i, sum] of sums.entries()) {
      const x = i % across * size, y = Math.floor(i / across) * size,
            light = most > 0 ? sum / most : 0;
      const gray = Math.round(255 * light);
      if (sum > 0) {
        context.fillStyle = `rgb(${gray} ${gray} ${gray})`;
        context.fillRect(x, y, size, size);
      }
      if (size < 24) continue;
      context.strokeStyle = '#23272d';
      context.strokeRect(x, y, size, size);
      context.fillStyle = light > 0.55 ? '#000' : sum > 0 ? '#d9dbdf' : '#454a52';
      context.fillText(sum > 9999 ? `${Math.round(sum / 1000)}k` : sum, x + size / 2, y + size / 2);
    }
    const lit = sums.filter((sum) => sum > 0).sort();
    at('counts-said').textContent = `${count(sums.length)} buckets. The fullest has ${
        count(most)} points; half of those with any have ${
        count(lit[Math.floor(lit.length / 2)] ?? 0)} or fewer.`;
  }
  draws.counts = drawCounts;
  slider(at('buckets'), (value) => `${Math.round(2 ** value)} across`, () => changed('counts'));
  slider(
      at('samples'), (value) => count(Number((10 ** value).toPrecision(2))),
      () => changed('counts'));

  // ---- 4: light ----

  let counted = null;  // {of, sums, most}: kept while the curve alone changes

  function drawLight() {
    const POINTS = 1500000;
    const of = JSON.stringify([maps, camera]);
    if (counted?.of !== of) {
      const sums = new Uint32Array(WIDTH * HEIGHT);
      play(maps, POINTS, SEED, (x, y) => {
        const i = Math.floor(pixelX(x)), j = Math.floor(pixelY(y));
        if (i >= 0 && j >= 0 && i < WIDTH && j < HEIGHT) ++sums[j * WIDTH + i];
      });
      counted = {of, sums, most: sums.reduce((a, b) => Math.max(a, b), 1)};
    }
    const {sums, most} = counted;
    const amount = at('log').value / 100, k = 10 ** (6 * amount - 5) * 1000 / most;
    const lightOf = (sum) => amount > 0 ? Math.log1p(k * sum) / Math.log1p(k * most) : sum / most;
    pixels('light', (set) => {
      for (const [i, sum] of sums.entries()) {
        if (sum === 0) continue;
        const light = 255 * lightOf(sum);
        set(i, light, light, light);
      }
    });
    at('light-said').textContent = `The fullest bucket has ${
        count(most)} points, and light 100 %. One with a hundredth of them has ${
        (100 * lightOf(most / 100)).toFixed(0)} %.`;
  }
  draws.light = drawLight;
  slider(at('log'), (value) => value === 0 ? 'none' : `${value} %`, () => changed('light'));

  // ---- 5 to 7: kiln's engine ----

  function paint(step, {width, height, pixels: bytes}) {
    at(`${step}-view`).width = width;
    at(`${step}-view`).height = height;
    canvas(step).putImageData(new ImageData(new Uint8ClampedArray(bytes), width, height), 0, 0);
  }

  function ask(step, wanted, tell) {
    const view = at(`${step}-view`).parentElement, said = at(`${step}-said`);
    said.classList.remove('error');
    if (!maps.some(({weight}) => weight > 0)) {
      self.kilnEngine.forget(step);  // a picture of before would come over it
      view.removeAttribute('aria-busy');
      return said.textContent = 'No map has a weight (step 2): there is nothing to draw.';
    }
    view.setAttribute('aria-busy', true);
    self.kilnEngine.render(step, {
      width: WIDTH,
      ...wanted,
      show: (picture) => {
        paint(step, picture);
        if (!picture.settled) return;
        view.removeAttribute('aria-busy');
        said.textContent = tell(picture);
      },
      failed: (text) => {
        view.removeAttribute('aria-busy');
        said.textContent = text;
        said.classList.add('error');
      },
    });
  }

  const millions = (samples) =>
      samples < 1e6 ? count(samples) : `${(samples / 1e6).toFixed(1)} million`;

  draws.color = () =>
      ask('color', {xml: xml(maps, camera, {...look, quality: 12}), quality: 12},
          ({samples, seconds}) => `${millions(samples)} points in ${seconds.toFixed(2)} s.`);

  at('palettes').append(...Object.keys(palettes).map((name) => {
    const swatch = made('span');
    swatch.style.background = `linear-gradient(90deg, ${
        colorsOf(name).filter((_, i) => i % 15 === 0).map((rgb) => css(rgb))})`;
    const radio = made('input', {type: 'radio', name: 'palette', value: name});
    radio.checked = name === look.palette;
    radio.onchange = () => {
      look.palette = name;
      changed('color', 'grain', 'yours');
    };
    return made('label', {}, radio, swatch, name);
  }));
  const putColors = maps.map((_, i) => {
    const input = made(
        'input',
        {type: 'range', min: 0, max: 1, step: 0.01, id: `color-${i}`, value: maps[i].color});
    at('map-colors')
        .append(made(
            'label', {}, made('span', {class: `dot map${i}`}, `Map ${i + 1}`), input,
            made('output')));
    const put = slider(input, (value) => value.toFixed(2), (value) => {
      maps[i].color = value;
      changed('color', 'grain', 'yours');
    });
    return () => put(maps[i].color);
  });
  slider(at('brightness'), (value) => (2 ** value).toPrecision(2), (value) => {
    look.brightness = 2 ** value;
    changed('color', 'grain', 'yours');
  });
  slider(at('gamma'), (value) => value.toFixed(1), (value) => {
    look.gamma = value;
    changed('color', 'grain', 'yours');
  });

  const quality = () => Number((10 ** at('quality').value).toPrecision(2));
  draws.grain = () =>
      ask('grain', {
        xml: xml(maps, camera, {...look, quality: quality(), radius: Number(at('radius').value)}),
        quality: quality()
      },
          ({samples, seconds}) => `${millions(samples)} points in ${seconds.toFixed(2)} s.`);
  slider(
      at('quality'), (value) => `${Number((10 ** value).toPrecision(2))} a pixel`,
      () => changed('grain'));
  slider(at('radius'), (value) => value === 0 ? 'off' : `${value} pixels`, () => changed('grain'));

  const FINE = 200;
  draws.yours = () => {
    const text = xml(maps, camera, {...look, quality: FINE});
    at('learn-hash').textContent = '-';
    at('xml').textContent = text;
    ask('yours', {
      xml: text,
      quality: FINE,
      linked: (link) => at('open').href = `index.html${link}`,
    },
        ({samples, seconds, hash}) => {
          at('learn-hash').textContent = hash;
          return `Finished: ${millions(samples)} points in ${seconds.toFixed(1)} s.`;
        });
  };
  at('keep').onclick = () => {
    const link = made('a', {download: 'learned.flam3'});
    link.href = URL.createObjectURL(new Blob([at('xml').textContent], {type: 'application/xml'}));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  for (const put of [...putWeights, ...putColors]) put();
  for (const step of order) watcher.observe(at(step));
})();
