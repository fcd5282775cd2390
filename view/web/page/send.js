// SPDX-License-Identifier: MIT
// A flame as a link and as its QR code.
import {ask, at, hear} from './base.js';

const phone = matchMedia('(pointer: coarse)');

const QUIET = 4;  // light modules around a QR code

/// A pixel a module; how large it is seen is the page's matter.
function drawCode({side, modules}) {
  const canvas = at('code'), context = canvas.getContext('2d');
  canvas.width = canvas.height = side + 2 * QUIET;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (let i = 0; i < modules.length; ++i)
    if (modules[i] === '1') context.fillRect(QUIET + i % side, QUIET + Math.floor(i / side), 1, 1);
}

function showCode(on) {
  at('code').hidden = !on;
  at('show-code').setAttribute('aria-expanded', on);
}

async function share(link, name) {
  at('link').value = link;
  at('link-line').hidden = false;
  at('sent').textContent = `${link.length} characters`;
  history.replaceState(null, '', link);
  try {
    if (phone.matches && navigator.share) {
      await navigator.share({title: name, url: link});
      at('sent').textContent = 'Handed on';
    } else {
      await navigator.clipboard.writeText(link);
      at('sent').textContent =
          `Copied, ${link.length} characters. Whoever opens it has this flame.`;
    }
  } catch {
    at('link').focus();
    at('link').select();
    at('link').scrollLeft = 0;
    at('sent').textContent = 'Copy it from here. Whoever opens it has this flame.';
  }
}

/// The text of the link that the page was opened by, if it carries a flame.
export const linked = () => /[#&]f\d+=/.test(location.hash) ? location.hash : '';

export function prepareSend(name) {
  at('send').onclick = () => ask('link', {base: location.href.replace(/#.*/s, '')});
  at('link').onfocus = () => at('link').select();
  at('show-code').onclick = () => showCode(at('code').hidden);
  hear({
    link: ({link, qr}) => {
      showCode(false);
      at('show-code').disabled = !qr;
      if (qr) drawCode(qr);
      share(link, name());
    }
  });
}
