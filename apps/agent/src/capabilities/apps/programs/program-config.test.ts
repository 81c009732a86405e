import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeApp, specOf } from '../../../../test/specs.ts';
import { encodeProgramConfig, programConfig } from './program-config.ts';

const app = nodeApp(7, { node_version: '20', start_command: `npm start -- "two words"` });
const spec = specOf({ apps: [app] });
const release = '/home/demo/apps/7/releases/3';

test('a program gets the words of its command, the Node.js version of its app and its own environment', () => {
  const { folder, words, environment } = programConfig(
    spec,
    { ...app, env: [{ name: 'API_KEY', value: 'x y=z', is_secret: true }] },
    release,
  );
  expect(folder).toBe(release);
  expect(words).toEqual(['npm', 'start', '--', 'two words']);
  expect(Object.fromEntries(environment)).toEqual({
    NODE_ENV: 'production',
    HOME: '/home/demo',
    USER: 'demo',
    LOGNAME: 'demo',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    API_KEY: 'x y=z',
    PATH: '/opt/innkeeper/node/20/bin:/usr/local/bin:/usr/bin:/bin',
    NODE_OPTIONS: '--require=/usr/lib/innkeeper/app-preload.cjs',
    PORT: '80',
    SOCKET: '/run/innkeeper/apps/7.sock',
  });
});

test('an app can set its environment, but not its Node.js version, its port or the preload', () => {
  const env = Object.entries({
    NODE_ENV: 'staging',
    PATH: '/home/demo/bin',
    NODE_OPTIONS: '--max-old-space-size=64',
    PORT: '3000',
    SOCKET: '/tmp/x',
  }).map(([name, value]) => ({ name, value, is_secret: false }));
  const { environment } = programConfig(spec, { ...app, env }, release);
  expect(environment.get('NODE_ENV')).toBe('staging');
  expect(environment.get('PATH')).toBe('/opt/innkeeper/node/20/bin:/home/demo/bin');
  expect(environment.get('NODE_OPTIONS')).toBe(
    '--require=/usr/lib/innkeeper/app-preload.cjs --max-old-space-size=64',
  );
  expect(environment.get('PORT')).toBe('80');
  expect(environment.get('SOCKET')).toBe('/run/innkeeper/apps/7.sock');
});

/** Parses the records as `run-app` does: each one ends with a NUL, and its kind ends at the first `=`. */
function read(text: string): { folder: string; words: string[]; env: Record<string, string> } {
  const records = text.split('\0');
  if (records.pop() !== '') throw new Error('the last record has no end');
  const result = { folder: '', words: [] as string[], env: {} as Record<string, string> };
  for (const [kind, value] of records.map(halves)) {
    if (kind === 'folder') result.folder = value;
    else if (kind === 'word') result.words.push(value);
    else if (kind === 'env') result.env[halves(value)[0]] = halves(value)[1];
    else throw new Error(`a record of another kind: ${kind}`);
  }
  return result;
}

function halves(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

test('any values are read back unchanged', () => {
  const value = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !text.includes('\0'));
  const hostile = fc.constantFrom(
    'word=/bin/sh',
    'env=PATH=/tmp',
    '\nfolder=/',
    '=',
    '',
    '$(id)',
    '%i',
    '"\\',
    'é\u2028',
  );
  const text = fc.oneof(value, hostile);
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/).filter((it) => it !== '__proto__');
  fc.assert(
    fc.property(
      text,
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.dictionary(name, text),
      (folder, words, env) => {
        const encoded = encodeProgramConfig({ folder, words, environment: new Map(Object.entries(env)) });
        expect(read(encoded)).toEqual({ folder, words, env: { ...env } });
      },
    ),
    { numRuns: 500 },
  );
});

test('refuses a NUL anywhere and a name that contains a separator', () => {
  const environment = new Map([['A', 'b']]);
  for (const bad of [
    { folder: '/a\0word=x', words: ['x'], environment },
    { folder: '/a', words: ['x\0env=LD_PRELOAD=/tmp/x'], environment },
    { folder: '/a', words: ['x'], environment: new Map([['A', 'b\0']]) },
    { folder: '/a', words: ['x'], environment: new Map([['A=B', 'c']]) },
  ])
    expect(() => encodeProgramConfig(bad)).toThrow('cannot hold a NUL');
});
