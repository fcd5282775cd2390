// SPDX-License-Identifier: MIT
// The page of kiln palettes: search by name or number; a click or Enter copies what --palette takes.
'use strict';
const search = document.querySelector('input'), said = document.querySelector('output');
const entries = [...document.querySelectorAll('li')];

search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let seen = 0;
  for (const entry of entries) {
    const text = entry.textContent.toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
    seen += !entry.hidden;
  }
  said.textContent = words.length ? `${seen} of ${entries.length}` : '';
});

async function copy(entry) {
  const option = `--palette '${entry.dataset.asked.replaceAll('\'', `'\\''`)}'`;
  try {
    await navigator.clipboard.writeText(option);
    said.textContent = `copied: ${option}`;
  } catch {
    said.textContent = option;
  }
}

for (const entry of entries) entry.addEventListener('click', () => copy(entry));
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) {
    event.preventDefault();
    search.focus();
  } else if (event.key === 'Enter' && document.activeElement.matches('li')) {
    copy(document.activeElement);
  }
});
