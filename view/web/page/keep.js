// SPDX-License-Identifier: MIT
// Has the page kept for days without a network (offline.js), with the module that this browser takes. A newer page brings a
// newer keeper, which has to be told again.
'use strict';

self.kilnKeep = async (module) => {
  const keepers = navigator.serviceWorker;
  if (!keepers) return;
  const tell = async () =>
      (await keepers.ready).active.postMessage({keep: [`kiln_${module}.wasm`]});
  try {
    keepers.addEventListener('controllerchange', tell);
    const registration = await keepers.register('offline.js');
    await tell();
    await registration.update();  // browsers look for a newer one when they like
  } catch {
    // as with windows that keep nothing: the page works without it
  }
};
