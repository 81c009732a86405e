import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@innkeeper/testkit/machine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ControlPlaneError } from '../../../control-plane/control-plane.ts';
import { Changes } from '../../../node/changes.ts';
import { ownerNamed } from '../../../node/owner.ts';
import { ArchiveFiles, type FetchArchive } from './archives.ts';
import type { ArchiveState, WantedArchive } from './host.ts';

const owner = ownerNamed('demo', 20_000);
const bytes = Buffer.from('an archive');
let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'innkeeper-archives-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const wanted = (changes: Partial<WantedArchive> = {}): WantedArchive => ({
  accountId: 1,
  appId: 1,
  releaseId: 7,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  ...changes,
});
const archivesOf = (fetchArchive: FetchArchive) => new ArchiveFiles(new Changes(), fetchArchive, stateDir);
async function* pieces(...all: Buffer[]) {
  yield* all;
}
const files = () => (existsSync(join(stateDir, 'archives')) ? readdirSync(join(stateDir, 'archives')) : []);
const settled = (archives: ArchiveFiles, { appId, releaseId }: WantedArchive): Promise<ArchiveState> =>
  waitUntil('the archive', () => {
    const state = archives.state(owner, appId, releaseId);
    return state?.kind !== 'fetching' && state;
  });

test('an archive is complete, readable by root only, and removed when discarded', async () => {
  const archives = archivesOf(() => pieces(bytes.subarray(0, 3), bytes.subarray(3)));
  archives.fetch(owner, wanted());
  const state = await settled(archives, wanted());
  if (state.kind !== 'ready') throw new Error(JSON.stringify(state));
  expect(readFileSync(state.file.path)).toEqual(bytes);
  expect(statSync(state.file.path).mode & 0o777).toBe(0o600);
  await archives.discard(owner, 1);
  expect([archives.state(owner, 1, 7), files()]).toEqual([undefined, []]);
});

test.each([
  ['other bytes', [Buffer.from('an archivE')]],
  ['too few bytes', [bytes.subarray(1)]],
  ['too many bytes', [bytes, bytes]],
])('%s are refused, and nothing of them is kept', async (_, came) => {
  const archives = archivesOf(() => pieces(...came));
  archives.fetch(owner, wanted());
  expect(await settled(archives, wanted())).toMatchObject({ kind: 'failed', retry: false });
  expect(files()).toEqual([]);
});

test.each([
  ['not_found', false, 'Deploy it again.'],
  ['unavailable', true, 'could not be downloaded'],
] as const)('after the answer %s of the control plane, retry: %s', async (code, retry, sentence) => {
  const archives = archivesOf(() => {
    throw new ControlPlaneError(code, 'no');
  });
  archives.fetch(owner, wanted());
  expect(await settled(archives, wanted())).toMatchObject({
    kind: 'failed',
    retry,
    sentence: expect.stringContaining(sentence),
  });
});

test('a newer release aborts the fetch of the previous one', async () => {
  const archives = archivesOf((_, releaseId, signal) => (releaseId === 7 ? never(signal) : pieces(bytes)));
  archives.fetch(owner, wanted());
  archives.fetch(owner, wanted({ releaseId: 8 }));
  expect(await settled(archives, wanted({ releaseId: 8 }))).toMatchObject({ kind: 'ready' });
  expect(archives.state(owner, 1, 7)).toBeUndefined();
});

test('fetches at most four archives at a time, and the others in turn', async () => {
  const asked: AbortSignal[] = [];
  const archives = archivesOf((_accountId, _releaseId, signal) => {
    asked.push(signal);
    return never(signal);
  });
  for (let appId = 1; appId <= 6; appId += 1) archives.fetch(owner, wanted({ appId }));
  await waitUntil('four', () => asked.length === 4);
  await archives.discard(owner, 1);
  await waitUntil('the fifth', () => asked.length === 5);
  await Promise.all([2, 3, 4, 5, 6].map((appId) => archives.discard(owner, appId)));
  expect(asked.every(({ aborted }) => aborted)).toBe(true);
});

test('removes the leftovers of another agent', () => {
  mkdirSync(join(stateDir, 'archives'));
  writeFileSync(join(stateDir, 'archives/20000-1'), 'left');
  archivesOf(() => pieces()).sweep();
  expect(files()).toEqual([]);
});

/** Yields nothing until it is aborted. */
async function* never(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  yield bytes;
}
