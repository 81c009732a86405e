import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeFiles } from './files.ts';
import type { SwapJob } from './job.ts';

const before = process.cwd();
const SITE = 'domains/a.example.com/public_html';
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'innkeeper-files-'));
  process.chdir(home);
  write('welcome.php', 'welcome');
});
afterEach(() => {
  process.chdir(before);
  rmSync(home, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
/** Creates a release that is ready. */
function release(name: string): void {
  write(`apps/1/releases/${name}/index.html`, name);
  write(`apps/1/.deploy/ready-${name}`, '');
}
const swap = (name: string, changes: Partial<SwapJob> = {}) =>
  changeFiles({
    kind: 'swap',
    folder: 'apps/1',
    release: name,
    link: SITE,
    adopts: 'nothing',
    keptAs: `${SITE}.before-app-1`,
    welcomePage: 'welcome.php',
    keep: 3,
    spare: null,
    ...changes,
  });
const served = (link = SITE) => readFileSync(join(link, 'index.html'), 'utf8');

test('each release serves through the link', () => {
  for (const name of ['5', '6']) {
    release(name);
    swap(name);
    expect(served()).toBe(name);
  }
  expect(readlinkSync('apps/1/current')).toBe('releases/6');
  expect(readlinkSync(SITE)).toBe('../../apps/1/current');
  release('7');
  swap('7', { link: 'apps/1/public_html' });
  expect(served('apps/1/public_html')).toBe('7');
});

test('keeps the last three releases, and the first one for ever', () => {
  const at = (name: string, seconds: number) => utimesSync(`apps/1/.deploy/ready-${name}`, seconds, seconds);
  for (const [step, name] of ['0', '5', '6', '7', '5', '8'].entries()) {
    if (!existsSync(`apps/1/releases/${name}`)) release(name);
    swap(name);
    at(name, 1_000 + step);
  }
  expect(readdirSync('apps/1/releases')).toEqual(['0', '5', '7', '8']);
  release('9');
  write('apps/1/releases/10.new/half', '');
  write('apps/1/releases/4/never-ready', '');
  swap('7');
  expect(readdirSync('apps/1/releases')).toEqual(['0', '5', '7', '8']);
  expect(readdirSync('apps/1/.deploy').sort()).toEqual(['ready-0', 'ready-5', 'ready-7', 'ready-8']);
});

test('keeps a protected release, however many served after it', () => {
  for (const name of ['5', '6', '7', '8', '9']) {
    release(name);
    swap(name, { spare: '5' });
  }
  expect(readdirSync('apps/1/releases')).toContain('5');
  swap('9');
  expect(readdirSync('apps/1/releases')).not.toContain('5');
});

test.each(['innkeeper-welcome.php', 'index.php'])('the first release replaces a welcome page: %s', (name) => {
  write(`${SITE}/${name}`, 'welcome');
  release('5');
  swap('5');
  expect(readdirSync(dirname(SITE))).toEqual(['public_html']);
});

test.each([
  ['another page', 'mine'],
  ['another file', 'welcome'],
])('an existing site is moved aside and kept: %s', (_, text) => {
  for (const time of [1, 2]) {
    rmSync(SITE, { recursive: true, force: true });
    write(`${SITE}/index.php`, text);
    write(`${SITE}/more`, `${time}`);
    release('5');
    swap('5');
  }
  expect(served()).toBe('5');
  expect(readFileSync(`${SITE}.before-app-1/more`, 'utf8')).toBe('1');
  expect(readFileSync(`${SITE}.before-app-1-2/more`, 'utf8')).toBe('2');
});

test('an app without a release serves the existing site', () => {
  write(`${SITE}/index.html`, 'mine');
  release('0');
  swap('0', { adopts: 'anything' });
  expect(served()).toBe('mine');
  expect(readFileSync('apps/1/releases/0/index.html', 'utf8')).toBe('mine');
});

test.each(['wp-config.php', 'admin/Config.PHP', 'lib/db.inc', 'index.phtml', 'wp-config.php.bak'])(
  'a site with %s does not become the content of an app that runs nothing',
  (source) => {
    write(`${SITE}/index.html`, 'mine');
    write(`${SITE}/${source}`, '<?php secret');
    release('0');
    swap('0', { adopts: 'no sources' });
    expect(served()).toBe('0');
    expect(readFileSync(`${SITE}.before-app-1/${source}`, 'utf8')).toBe('<?php secret');
  },
);

test('adopts a site of static files beside the welcome page', () => {
  write(`${SITE}/index.html`, 'mine');
  write(`${SITE}/innkeeper-welcome.php`, 'welcome');
  release('0');
  swap('0', { adopts: 'no sources' });
  expect(served()).toBe('mine');
});

test('moves foreign links and folders out of the way', () => {
  mkdirSync(dirname(SITE), { recursive: true });
  symlinkSync('/etc', SITE);
  write('apps/1/current/mine', 'mine');
  mkdirSync(`${SITE}.innkeeper-new/left`, { recursive: true });
  release('5');
  swap('5');
  expect(served()).toBe('5');
  expect(existsSync('/etc/passwd')).toBe(true);
  expect(readFileSync('apps/1/current.before/mine', 'utf8')).toBe('mine');
});

test('removes an app with its link and log, and keeps another app’s link', () => {
  release('5');
  swap('5');
  write('logs/app-1-build.log', 'log');
  symlinkSync('../../apps/2/current', 'domains/a.example.com/other');
  const remove = (link: string) =>
    changeFiles({ kind: 'remove', folder: 'apps/1', link, logs: ['logs/app-1-build.log'] });
  remove(SITE);
  remove('domains/a.example.com/other');
  expect(readdirSync('apps')).toEqual([]);
  expect(readdirSync('logs')).toEqual([]);
  expect(readdirSync(dirname(SITE))).toEqual(['other']);
});

test('removes only the app’s own link', () => {
  mkdirSync(SITE, { recursive: true });
  changeFiles({ kind: 'unlink', folder: 'apps/1', link: SITE });
  expect(existsSync(SITE)).toBe(true);
});

test('replaces a file atomically and for its account only, whatever a crash or its owner left', () => {
  const path = 'sub/settings.json';
  const replace = (text: string) => changeFiles({ kind: 'write', path, text });
  replace('one');
  write(`${path}.innkeeper-new`, 'half');
  replace('two');
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(path);
  write(`${path}/kept`, '');
  replace('three');
  expect(readFileSync(path, 'utf8')).toBe('three');
  expect(readdirSync(`${path}.before`)).toEqual(['kept']);
});
