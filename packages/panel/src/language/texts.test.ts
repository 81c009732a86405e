import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailLanguages } from '@innkeeper/services';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { type Language, languageNames } from './language.ts';

const ROOT = join(import.meta.dirname, '..');

const areas = [
  'http',
  'ui',
  ...readdirSync(join(ROOT, 'pages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `pages/${name}`),
];

/** Words that are the same in English and in German, and names. */
const SAME = new Set([
  'Administrator',
  'Agent',
  'App',
  'Apps',
  'Branch',
  'Browser',
  'CPU',
  'CRLF',
  'Code',
  'DNS',
  'Details',
  'Domain',
  'Domains',
  'HTTPS',
  'IP',
  'LF',
  'Limits',
  'Name',
  'Navigation',
  'Node.js',
  'Online',
  'PHP',
  'Port',
  'Terminal',
  'Terminals',
  'Git',
  'Log',
  'Optional.',
  'Releases',
  'Repository',
  'Reseller',
  'Server',
  'Status',
  'System',
  'Token',
  'ZIP',
  'offline',
  'optional',
  'online',
]);

/** Names, and words of protocols and programs: they have no translation. */
const NAMES =
  /^(?:Innkeeper|Android|Chrome|ChromeOS|Edge|Firefox|Linux|Opera|Safari|Samsung Internet|Windows|Lax|Strict|Origin|Host|Cookie|Node\.js|PHP|HTTPS|WordPress|MySQL|Git|localhost|MiB(?:\/s)?|percent of one core|UTF-8|ISO-8859-1|Control\+S|Range|private, no-store|· Innkeeper|<!doctype .*)$/;

/** Attributes and properties whose values are shown. */
const SHOWN =
  /^(?:title|label|heading|hint|submit|ask|caption|alt|placeholder|remedy|aria-label|aria-description)$/;
/** Attributes whose values have spaces but are no words. */
const CODE = /^(?:class|aria-describedby|kinds|d|viewBox|rel|pattern|autocomplete|sizes|content)$/;

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Returns the words of a source file that a reader of the panel sees. */
function wordsOf(path: string): string[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  const found: string[] = [];
  const visit = (value: unknown, parents: readonly Node[]): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, parents);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    const text = textOf(node);
    if (text !== undefined && isShown(text, node, parents)) found.push(text.trim());
    for (const child of Object.values(node)) visit(child, [node, ...parents]);
  };
  visit(program, []);
  return found;
}

function textOf({ type, value }: Node): string | undefined {
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked;
  return (type === 'JSXText' || type === 'Literal') && typeof value === 'string' ? value : undefined;
}

function isShown(text: string, { type }: Node, parents: readonly Node[]): boolean {
  if (!/\p{L}{2}/u.test(text) || NAMES.test(text.trim())) return false;
  if (type === 'JSXText') return true;
  const [parent] = parents;
  if (parent?.type === 'BinaryExpression' || /^[\w.-]*(?:\/[\w.-]*)+$/.test(text)) return false;
  if (parent === undefined || /^(?:Import|Export|TSLiteral|TSImport|TSEnum)/.test(parent.type)) return false;
  if (parents.some(({ type, callee }) => type === 'NewExpression' && (callee as Node).name === 'Error'))
    return false;
  const holder = parents.find(({ type }) => !/^(?:Conditional|Logical|TemplateLiteral|Array|TS)/.test(type));
  if (holder?.type === 'JSXExpressionContainer' && !parents.some(isAttribute)) return true;
  const attribute = parents.find(isAttribute);
  const name = String((attribute?.name as Node | undefined)?.name ?? '');
  if (CODE.test(name)) return false;
  const key = (holder?.type === 'Property' ? (holder.key as Node) : undefined)?.name;
  if (typeof key === 'string' && CODE.test(key)) return false;
  if (SHOWN.test(name) || (typeof key === 'string' && SHOWN.test(key))) return /\p{L}/u.test(text);
  return /\p{L}{2,}[,.:]? \p{L}|^\p{Lu}\p{Ll}/u.test(text) && !/^(?:[A-Z][a-z]+-)+[A-Z]/.test(text);
}

function isAttribute({ type }: Node): boolean {
  return type === 'JSXAttribute';
}

function sourcesOf(area: string): string[] {
  return readdirSync(join(ROOT, area), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('texts/') && !file.includes('.test.'))
    .map((file) => join(ROOT, area, file));
}

test('mails have each language of the panel', () => {
  expect(mailLanguages).toEqual(Object.keys(languageNames));
});

describe('the words of', () => {
  test.each(areas)('%s are in its texts', (area) => {
    const found = sourcesOf(area).flatMap((path) => wordsOf(path).map((words) => `${path}: ${words}`));
    expect(found).toEqual([]);
  });
});

const withTexts = areas.filter((area) => readdirSync(join(ROOT, area)).some((name) => name === 'texts'));

/** The texts of an area as `path: text`, functions by their source. */
function flat(texts: unknown, path = ''): [path: string, text: string][] {
  if (typeof texts !== 'object' || texts === null) return [[path, String(texts)]];
  return Object.entries(texts).flatMap(([key, value]) => flat(value, `${path}.${key}`));
}

test.each(withTexts)('every text of %s is translated', async (area) => {
  const exported: Record<string, Record<Language, unknown>> = await import(
    join(ROOT, area, 'texts', 'index.ts')
  );
  for (const texts of Object.values(exported)) {
    const english = new Map(flat(texts.en));
    for (const language of Object.keys(languageNames) as Language[]) {
      if (language === 'en') continue;
      const own = flat(texts[language]);
      const same = own.filter(([path, text]) => english.get(path) === text && !SAME.has(text));
      expect(same).toEqual([]);
    }
  }
});
