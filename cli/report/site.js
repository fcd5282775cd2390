// SPDX-License-Identifier: MIT
// The pages of kiln gallery work without it; it copies links, and goes from flame to flame by arrow keys.
for (const button of document.querySelectorAll('[data-link]'))
  button.onclick = async () => {
    const link = new URL(button.dataset.link, location.href).href,
          said = document.getElementById('said');
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = 'The link is copied. Whoever opens it has this flame.';
    } catch {
      said.textContent = link;
    }
  };
addEventListener('keydown', (event) => {
  const rel = {ArrowLeft: 'prev', ArrowRight: 'next'}[event.key];
  const link = rel && !event.altKey && !event.ctrlKey && !event.metaKey &&
      document.querySelector(`[rel=${rel}]`);
  if (link) link.click();
});
