// SPDX-License-Identifier: MIT
// Keeps the files of this page, so that it works without a network after the first visit. files.js, which packaging/web/make
// writes, has their names and a digest of them: another digest is another page, and the one before is forgotten. Other pages of
// the same host, as in another gallery, have caches of their own: where the page lies is in the name. Once there was the digest
// alone, kiln-DIGEST: nobody else would remove that.
'use strict';

importScripts('files.js');
const mine = `kiln ${registration.scope} `;
const kept = `${mine}${self.kilnFiles.digest}`;

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(self.kilnFiles.names)));
});

addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys())
    if ((name.startsWith(mine) && name !== kept) || name.startsWith('kiln-'))
      await caches.delete(name);
  await clients.claim();
})()));

/// Keeps what is not kept yet; not for a keeper that is forgotten already, which would come back with that.
async function keep(names) {
  if (!await caches.has(kept)) return;
  const cache = await caches.open(kept);
  for (const name of names)
    if (!await cache.match(name)) await cache.add(name);
}

addEventListener('message', (event) => {
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});

/// The network's answer where there is one, so that a page is never older than its server; else what was kept.
addEventListener('fetch', (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== 'GET' || address.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(kept);
    try {
      const answer = await fetch(event.request);
      if (answer.ok || answer.status === 404) return answer;
    } catch {
      // below
    }
    const page = address.pathname.endsWith('/') ? 'index.html' : event.request;
    return await cache.match(page, {ignoreSearch: true}) ?? Response.error();
  })());
});
