// SPDX-License-Identifier: MIT
// A flame as a link, and the page without a network.
import {ask, at, hear} from './base.js';

const phone = matchMedia('(pointer: coarse)');

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
  at('send').onclick = () => ask('link');
  at('link').onfocus = () => at('link').select();
  hear({link: ({link}) => share(location.href.replace(/#.*/s, '') + link, name())});
}

/// Keeps the page for days without a network; `module`: the one that this browser takes.
export async function keepPage(module) {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('offline.js');
    const {active} = await navigator.serviceWorker.ready;
    active.postMessage({keep: [`kiln_${module}.js`, `kiln_${module}.wasm`]});
  } catch {
    // as with windows that keep nothing: the page works without it
  }
}
