// SPDX-License-Identifier: MIT
// Browsers give no page that was opened from disk the worker and the module that render here, nor scripts of modules: all that is
// left is to say so.
'use strict';

if (location.protocol === 'file:')
  addEventListener('DOMContentLoaded', () => {
    const folder = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, '');
    const line = document.createElement('li');
    line.className = 'error';
    line.textContent =
        `Browsers do not let a page from disk render. In a terminal: python3 -m http.server -d '${
            folder}' and then open http://localhost:8000/${
            location.hash.length > 1 ? 'index.html with what follows the # here' : ''}`;
    const messages = document.getElementById('messages');
    messages.append(line);
    document.getElementById('stage').replaceChildren(messages);
    document.body.classList.add('from-disk');
    for (const control of document.querySelectorAll('button, input, select'))
      control.disabled = true;
  });
