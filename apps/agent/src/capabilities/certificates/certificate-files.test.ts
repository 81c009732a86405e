import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Changes } from '../../node/changes.ts';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { CertificateFiles } from './certificate-files.ts';

const KEY = '20000-1-abc';
const material = { privateKey: 'key', chain: 'chain' };

let folder: string;
let files: CertificateFiles;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'innkeeper-files-'));
  files = new CertificateFiles(folder, 33, new Changes());
});

afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);

test.each(['key', 'pem'])('a foreign .%s file blocks a new certificate, and stays', async (kind) => {
  writeFileSync(at(`${KEY}.${kind}`), 'somebody’s');
  await expect(files.place(KEY, material, true)).rejects.toMatchObject({ reason: 'Conflict' });
  expect(readFileSync(at(`${KEY}.${kind}`), 'utf8')).toBe('somebody’s');
});

test('treats a link as foreign, wherever it leads', async () => {
  writeFileSync(at('target'), `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`);
  symlinkSync(at('target'), at(`${KEY}.key`));
  await expect(files.place(KEY, material, true)).rejects.toMatchObject({ reason: 'Conflict' });
});

test('lists only files that the agent wrote for the account', async () => {
  const ours = `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\nchain`;
  writeFileSync(at(`${KEY}.pem`), ours);
  writeFileSync(at('20000-1-foreign.pem'), 'somebody’s');
  writeFileSync(at('200001-1-other.pem'), ours);
  expect(await files.of(20_000)).toEqual([at(`${KEY}.pem`)]);
});
