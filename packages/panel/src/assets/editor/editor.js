/* Replaces the text field of a file by an editor. Without this script the text field works. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { languageFor } from './languages.js';

const colors = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--k-com)' },
  { tag: [tags.keyword, tags.tagName, tags.operatorKeyword, tags.modifier], color: 'var(--k-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue, tags.regexp], color: 'var(--k-str)' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.className,
      tags.attributeName,
      tags.heading,
    ],
    color: 'var(--k-fn)',
  },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: 'var(--k-num)' },
  { tag: [tags.link, tags.url], textDecoration: 'underline' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
]);

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', font: 'var(--t-code)' },
  '&.cm-focused': { outline: '2px solid var(--brand)', outlineOffset: '-2px' },
  '.cm-scroller': { font: 'var(--t-code)', overflow: 'auto' },
  '.cm-gutters': { color: 'var(--text-3)', background: 'transparent', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--brand-soft)' },
  '.cm-selectionMatch': { background: 'var(--warn-soft)' },
  '.cm-searchMatch': { background: 'var(--warn-soft)', outline: '1px solid var(--warn-line)' },
  '.cm-searchMatch-selected': { background: 'var(--warn-line)' },
  '.cm-panels': { color: 'var(--text)', background: 'var(--sunken)', font: 'var(--t-13)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '0.5rem 2rem 0.5rem 0.75rem' },
  '.cm-textfield': {
    minHeight: '1.75rem',
    color: 'var(--text)',
    background: 'var(--surface)',
    border: '1px solid var(--control-line)',
    borderRadius: '6px',
    fontSize: 'inherit',
  },
  '.cm-button': {
    minHeight: '1.75rem',
    color: 'var(--text)',
    background: 'var(--surface)',
    border: '1px solid var(--control-line)',
    borderRadius: '6px',
    fontSize: 'inherit',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text)', fontSize: '1.25rem' },
  '.cm-foldPlaceholder': { color: 'var(--text-2)', background: 'var(--sunken)', borderColor: 'var(--line)' },
});

const german = {
  Find: 'Suchen',
  Replace: 'Ersetzen',
  next: 'weiter',
  previous: 'zurück',
  all: 'alle',
  'match case': 'Groß- und Kleinschreibung',
  'by word': 'ganze Wörter',
  regexp: 'Regulärer Ausdruck',
  replace: 'ersetzen',
  'replace all': 'alle ersetzen',
  close: 'schließen',
  'current match': 'dieser Treffer',
  'replaced $ matches': '$ Treffer ersetzt',
  'replaced match on line $': 'Treffer in Zeile $ ersetzt',
  'on line': 'in Zeile',
  'Go to line': 'Zu Zeile',
  go: 'los',
  'Folded lines': 'Eingeklappte Zeilen',
  'Unfolded lines': 'Ausgeklappte Zeilen',
  'folded code': 'eingeklappt',
  unfold: 'ausklappen',
  'Fold line': 'Zeile einklappen',
  'Unfold line': 'Zeile ausklappen',
  'Control character': 'Steuerzeichen',
};

const field = document.getElementById('editor');
const form = document.getElementById('editor-form');
if (field && form) start();

/* The file's own indentation: tabs, or the fewest spaces that a line begins with. */
function unitOf(text) {
  if (/^\t/m.test(text)) return '\t';
  const spaces = [...text.matchAll(/^( {2,8})\S/gm)].slice(0, 200).map(([, indent]) => indent.length);
  return ' '.repeat(spaces.length > 0 ? Math.min(...spaces) : 4);
}

function start() {
  const words = JSON.parse(document.querySelector('[data-words]').dataset.words);
  const host = document.createElement('div');
  host.className = 'fm-code';
  /* In a shadow tree the editor's styles are adopted style sheets: the policy allows no <style>. */
  const root = host.attachShadow({ mode: 'open' });
  const badge = document.getElementById('editor-state');
  let savedText;
  const isUnsaved = () => !view.state.doc.eq(savedText);
  const showState = () => {
    badge.hidden = !isUnsaved();
  };
  const saveNow = () => {
    form.requestSubmit();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: field.value,
      extensions: [
        lineNumbers(),
        foldGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        rectangularSelection(),
        EditorState.allowMultipleSelections.of(true),
        indentOnInput(),
        indentUnit.of(unitOf(field.value)),
        EditorState.tabSize.of(4),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        syntaxHighlighting(colors),
        look,
        languageFor(field.dataset.name),
        EditorState.phrases.of(document.documentElement.lang === 'de' ? german : {}),
        EditorView.contentAttributes.of({ 'aria-label': field.getAttribute('aria-label') }),
        EditorView.updateListener.of(({ docChanged }) => docChanged && showState()),
        keymap.of([
          { key: 'Mod-s', preventDefault: true, run: saveNow },
          ...closeBracketsKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
      ],
    }),
  });
  savedText = view.state.doc;
  /* A form that was refused has text that is not saved. */
  if (form.querySelector('[role="alert"]:not([hidden])')) savedText = EditorState.create().doc;
  /* Outside of its tree nobody sees that somebody is typing: a slash would open the search of the panel. */
  host.addEventListener('keydown', (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  });
  field.hidden = true;
  field.after(host);
  showState();

  const refusal = document.getElementById('editor-refusal');
  const overwrite = document.getElementById('editor-overwrite');
  const show = (sentence) => {
    refusal.hidden = sentence === '';
    document.getElementById('editor-sentence').textContent = sentence;
  };
  form.addEventListener(
    'submit',
    async (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const text = view.state.doc;
      field.value = text.toString();
      const body = new URLSearchParams(new FormData(form, event.submitter));
      body.set('content', field.value);
      badge.hidden = false;
      badge.textContent = words.saving;
      try {
        const response = await fetch(form.action, {
          method: 'POST',
          body,
          headers: { 'X-Panel-Script': '1', Accept: 'application/json' },
        });
        if (!/json/.test(response.headers.get('Content-Type') ?? ''))
          throw new Error('The session has ended.');
        const answer = await response.json();
        if (response.ok) {
          form.elements.etag.value = answer.etag;
          savedText = text;
          show('');
          overwrite.hidden = true;
        } else {
          show(answer.message);
          overwrite.hidden = answer.code !== 'conflict';
        }
      } catch {
        show(words.offline);
      }
      badge.textContent = badge.dataset.unsaved;
      showState();
    },
    true,
  );
  badge.dataset.unsaved = badge.textContent;
  addEventListener('beforeunload', (event) => {
    if (isUnsaved()) event.preventDefault();
  });
}
