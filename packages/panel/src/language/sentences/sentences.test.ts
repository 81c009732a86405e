import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contract from '@innkeeper/contract';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { englishSentences } from './english.ts';
import { words } from './german/fields.ts';
import { german, germanPhrases, germanSentences } from './german/index.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

/** Sources whose sentences a page can show. */
const SOURCES = [
  'packages/contract/src',
  'packages/domain/src',
  'packages/services/src',
  'apps/api/src/http/request',
  'apps/api/src/mail',
  'apps/api/src/setting-warnings.ts',
  'apps/agent/src/archives',
  'apps/agent/src/capabilities',
  'apps/agent/src/node',
  'apps/agent/src/reconciler',
];

/** Files whose sentences no page shows: for the OpenAPI document, the REST API alone, agents, mails and logs. */
const NOT_SHOWN = [
  /\.test\.ts$|\.gen\.ts$|\/fake\w*\.ts$/,
  /^packages\/contract\/src\/(?:openapi\/|\w[\w-]*\/endpoints\.ts)/,
  /^packages\/services\/src\/(?:nodes\/(?!store-report)|idempotency\/|secrets\/|mail\/texts\/)/,
  /^packages\/domain\/src\/(?:settings\/|apps\/app-template\.ts)/,
  /^apps\/api\/src\/http\/request\/(?:authenticate|idempotency|validate|read-body)\.ts$/,
  /^apps\/agent\/src\/reconciler\/(?!pass|converge)/,
  /^apps\/agent\/src\/node\/(?:server-wa|dbus-message|kernel-protections)/,
  /^apps\/agent\/src\/capabilities\/(?:firewall\/keep-firewall|disk\/disk-(?:usage|scan))/,
];

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** The texts of a source file, with `{}` for each variable part. */
function textsOf(path: string): string[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (typeof value !== 'object' || value === null) return;
    const text = textOf(value as Node);
    if (text !== undefined) texts.push(text.replaceAll(':attribute', '{}'));
    // The halves of a sum are no texts of their own.
    if (text !== undefined && (value as Node).type === 'BinaryExpression') return;
    for (const child of Object.values(value)) visit(child);
  };
  visit(program);
  return texts;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [textOf(node.left as Node), textOf(node.right as Node)];
  return left === undefined || right === undefined ? undefined : left + right;
}

const sources = SOURCES.flatMap((source) =>
  source.endsWith('.ts')
    ? [source]
    : readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${source}/${file}`),
).filter((path) => !NOT_SHOWN.some((pattern) => pattern.test(path)));

const texts = new Map(
  sources.flatMap((path) => textsOf(join(ROOT, path)).map((text) => [text, path] as const)),
);

const bare = (english: string) => english.replaceAll(/\{\w+\}/g, '{}');
const isSentence = (text: string) => /^[\p{Lu}{"].*\p{L}{2}.* .*[.?!]$/u.test(text);

const sentencesOf = (text: string) => text.split(/(?<=[.?!]) (?=[\p{Lu}"])/u);

/** Whether one of the sentences of a text is still there after the translation. */
function keepsEnglish(text: string, translated: string): boolean {
  const after = new Set(sentencesOf(translated));
  return sentencesOf(text).some((sentence) => isSentence(sentence) && after.has(sentence));
}

/** Sentences of defects, logs, programs and mails. No page shows them. */
const UNSEEN: ReadonlySet<string> = new Set([
  'The stored password hash is not an argon2id PHC string.',
  'The queue is full.',
  'A disk is full.',
  'The disk has room again.',
  'Not the scope of a session.',
  'This mail was sent through the queue and the relay of a hosting server.',
  'Mail of hosting accounts takes the same way.',
  'The mail queue of accounts could not be read.',
  'The value of {} is not allowed.',
  'This node has no account {}.',
  'A package {}.',
  'App {} has no start command or no Node.js version.',
  'What a program is started with cannot hold a NUL, nor the name of a variable a "=".',
  'It listens nowhere.',
  'It listens on port {} instead.',
  '{} is in the way: it is not a file.',
  'An app has a positive id.',
  'App {} is not in the spec.',
  'The archive of app {} is missing.',
  'The job is cut off.',
  'Deploy your own to replace this page.',
  'It runs PHP <?= PHP_VERSION ?>. Deploy your own to replace this page.',
  'A task needs a plain label and the id of an app.',
  'A control character cannot stand in a PHP setting.',
  'A certificate record is invalid: {}.',
  "The database {} is not one of {}'s.",
  'The user {} cannot be created for {}.',
  'The password of a database is malformed.',
  'The connection limit of a user must be greater than 0.',
  'The hash of the old password is malformed.',
  'A site has a {} that nginx must not see.',
  'A site has a {} that is not allowed in the PHP configuration.',
  'The value of {} is not allowed in the PHP configuration.',
  'The username is not allowed in a crontab.',
  'A field of the account database holds a separator.',
  '{} changes files by their paths: not as root.',
  'The name is not that of an account.',
  'The uid {} is not that of an account.',
  'The path below the home is not one that the agent uses.',
  '{} is no /tmp of an account.',
]);

describe('German', () => {
  const all = { ...germanSentences, ...germanPhrases };

  test('has every sentence that a page can show', () => {
    const missing = [...texts].filter(
      ([text]) => isSentence(text) && !UNSEEN.has(text) && keepsEnglish(text, german.translate(text)),
    );
    expect(missing).toEqual([]);
  });

  test('has no sentence that nobody says', () => {
    const said = [...texts.keys()];
    const dead = Object.keys(all)
      .map(bare)
      .filter((english) => !said.some((text) => text.includes(english)));
    expect(dead).toEqual([]);
    expect([...UNSEEN].filter((text) => !texts.has(text))).toEqual([]);
  });

  test.each(Object.entries(all))('%s keeps its parts', (english, translation) => {
    const parts = new Set([...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const used =
      typeof translation === 'string'
        ? [...translation.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        : [...String(translation).matchAll(/part\(["'](\w+)["']\)/g)].map(([, name]) => name);
    expect(used.filter((name) => !parts.has(name))).toEqual([]);
  });

  test('the panel’s own English wording is of sentences that are said', () => {
    const generic = /\{rule\}/;
    const said = [...texts.keys()];
    const dead = Object.keys(englishSentences).filter(
      (english) => !generic.test(english) && !said.some((text) => text.includes(bare(english))),
    );
    expect(dead).toEqual([]);
  });

  test('has a word for every field of a form', () => {
    const shapes = Object.values(contract).flatMap((exported) =>
      typeof exported === 'object' && 'shape' in exported ? Object.keys(exported.shape) : [],
    );
    expect(shapes.length).toBeGreaterThan(50);
    const missing = shapes.map((field) => field.replaceAll('_', ' ')).filter((field) => !(field in words));
    expect(missing).toEqual([]);
  });
});
