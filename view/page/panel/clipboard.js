// SPDX-License-Identifier: MIT
// Xforms as text, from flame to flame and program to program: <xform .../> and <finalxform .../>.

/// The elements of a text that holds xforms alone, or a flame, or flames; none where there are none.
function xformsOf(text) {
  const bare = text.replace(/<\?xml[^>]*\?>/, '').trim();
  if (!/^<(final)?xform[\s/>]/.test(bare)) return [];
  const xml = new DOMParser().parseFromString(`<flame>${bare}</flame>`, 'application/xml');
  if (xml.querySelector('parsererror')) return [];
  return [...xml.documentElement.children].filter(
      child => ['xform', 'finalxform'].includes(child.localName));
}

export class Clipboard {
  constructor(editor, notice) {
    this.editor = editor;
    this.notice = notice;
    this.text = '';  // for browsers that do not let the page read
    document.addEventListener('paste', event => this.onPaste(event));
  }

  get about() {
    const {length} = this.editor.picked;
    return length === 1 ? 'the xform' : `${length} xforms`;
  }

  async copy() {
    const {editor} = this, write = new XMLSerializer();
    if (!editor.xform) return;
    this.text = editor.picked.map(xform => write.serializeToString(xform)).join('\n') + '\n';
    const {about} = this;
    try {
      await navigator.clipboard.writeText(this.text);
      this.notice.say('info', `copied ${about}: paste it into any flame (Ctrl+V)`);
    } catch {
      this.notice.say('info', `copied ${about}, for this page only`);
    }
  }

  async paste() {
    let text = '';
    try {
      text = await navigator.clipboard.readText();
    } catch {  // then what this page has copied
    }
    if (!this.take(text) && !this.take(this.text))
      this.notice.say('warning', 'there is no <xform> to paste: copy one first (Y)');
  }

  /// Ctrl+V; other texts are for others.
  onPaste(event) {
    if (event.defaultPrevented || event.target.closest?.('input, textarea, dialog')) return;
    if (this.take(event.clipboardData?.getData('text') ?? '')) event.preventDefault();
  }

  take(text) {
    const elements = xformsOf(text),
          finals = elements.filter(one => one.localName === 'finalxform');
    if (!elements.length || !this.editor.flame) return false;
    const wanted = elements.filter(one => !finals.includes(one) || one === finals.at(-1));
    this.editor.rebuild(flame => flame.paste(wanted));
    return true;
  }
}
