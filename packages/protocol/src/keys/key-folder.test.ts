import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generatePrivateKeyPem } from '../identity/key-pair.ts';
import { ensureKeyFolder } from './ensure-key-folder.ts';
import { keyFolderPaths } from './layout.ts';
import { readCaFingerprint, readKeyFolder } from './read-key-folder.ts';

const DAY_MS = 24 * 3_600_000;
const options = { hosts: ['panel.test'], natsPort: 4222, gid: null };

/** A complete key folder. Making one takes 0.3 s, so tests that only need one to start from copy it. */
const complete = mkdtempSync(join(tmpdir(), 'innkeeper-keys-'));
beforeAll(async () => {
  await ensureKeyFolder(complete, options);
});
afterAll(() => rmSync(complete, { recursive: true }));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'innkeeper-keys-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const files = () =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const copyComplete = () => cpSync(complete, dir, { recursive: true });
const contents = () => Object.fromEntries(files().map((file) => [file, readFileSync(file, 'utf8')]));

describe('a key folder', () => {
  it('is complete after the first run, and the second changes nothing', async () => {
    const { created, caFingerprint } = await ensureKeyFolder(dir, options);
    expect(created.toSorted()).toEqual(files());
    const before = contents();
    const again = await ensureKeyFolder(dir, options);
    expect(again.created).toEqual([keyFolderPaths(dir).natsServerConfig]);
    const { natsServerConfig } = keyFolderPaths(dir);
    // Its signed statements contain the time of signing.
    expect({ ...contents(), [natsServerConfig]: '' }).toEqual({ ...before, [natsServerConfig]: '' });
    expect(readCaFingerprint(dir)).toBe(caFingerprint);
  });

  it('gives the API every key it needs', () => {
    copyComplete();
    const keys = readKeyFolder(dir);
    expect(keys.authority.fingerprint).toBe(readCaFingerprint(dir));
    expect(keys.sealing.keys.get(keys.sealing.currentId)).toHaveLength(32);
    expect(keys.natsSigner.signingSeed).toMatch(/^SA/);
    expect(keys.natsSigner.accountPublicKey).toMatch(/^A/);
  });

  it('shows no key to others', async () => {
    await ensureKeyFolder(dir, options);
    const open = files().filter((file) => (statSync(file).mode & 0o077) !== 0);
    const { caCertificate, natsAccountPublicKey, natsServerCertificate } = keyFolderPaths(dir);
    expect(open).toEqual([caCertificate, natsAccountPublicKey, natsServerCertificate].toSorted());
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.getuid?.() === 0)('lets its group read what the API needs only', async () => {
    const gid = 64_999;
    await ensureKeyFolder(dir, { ...options, gid });
    const { natsOperatorSeed, natsAccountSeed, natsDir, caKey } = keyFolderPaths(dir);
    const access = (path: string) => {
      const { uid, gid, mode } = statSync(path);
      return [uid, gid, (mode & 0o777).toString(8)];
    };
    for (const seed of [natsOperatorSeed, natsAccountSeed]) expect(access(seed)).toEqual([0, 0, '600']);
    for (const folder of [dir, natsDir]) expect(access(folder)).toEqual([0, gid, '750']);
    expect(access(caKey)).toEqual([0, gid, '640']);
    const others = files().filter((file) => (statSync(file).mode & 0o004) !== 0);
    expect(others.filter((file) => /key|seed|creds|conf/.test(file.slice(dir.length)))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('is readable for its group if it has one', async () => {
    await ensureKeyFolder(dir, options);
    await ensureKeyFolder(dir, { ...options, gid: 64_999 });
    for (const file of [keyFolderPaths(dir).caKey, keyFolderPaths(dir).natsServerKey])
      expect(statSync(file)).toMatchObject({ gid: 64_999, mode: 0o100640 });
  });

  it('is completed after an interruption at any file', async () => {
    const { created } = await ensureKeyFolder(dir, options);
    const { natsServerKey } = keyFolderPaths(dir);
    const whole = contents();
    for (let kept = 0; kept < created.length; kept++) {
      for (const file of created.slice(kept)) rmSync(file);
      await ensureKeyFolder(dir, options);
      readKeyFolder(dir);
      for (const file of created.slice(0, kept).filter((file) => file !== natsServerKey))
        expect(readFileSync(file, 'utf8')).toBe(whole[file]);
      for (const [file, text] of Object.entries(whole)) writeFileSync(file, text);
    }
  });

  it.each(['caKey', 'natsOperatorSeed', 'natsAccountSeed', 'natsSigningSeed'] as const)(
    'refuses to replace a lost %s while files exist that were made with it',
    async (key) => {
      copyComplete();
      rmSync(keyFolderPaths(dir)[key]);
      const before = contents();
      await expect(ensureKeyFolder(dir, options)).rejects.toThrow('Restore the key from a backup');
      expect(contents()).toEqual(before);
    },
  );

  it('gets a new NATS certificate for another host and before the old one expires', async () => {
    const { natsServerCertificate, natsServerKey } = keyFolderPaths(dir);
    const now = new Date();
    await ensureKeyFolder(dir, { ...options, now });
    const renewed = { ...options, hosts: ['panel.test', '10.77.0.1'] };
    expect((await ensureKeyFolder(dir, { ...renewed, now })).created).toContain(natsServerCertificate);
    const later = (days: number) => new Date(now.getTime() + days * DAY_MS);
    expect((await ensureKeyFolder(dir, { ...renewed, now: later(640) })).created).not.toContain(
      natsServerKey,
    );
    expect((await ensureKeyFolder(dir, { ...renewed, now: later(650) })).created).toContain(natsServerKey);
  });

  it('gets a new NATS certificate when the certificate does not match its key', async () => {
    const { natsServerCertificate, natsServerKey } = keyFolderPaths(dir);
    copyComplete();
    writeFileSync(natsServerKey, generatePrivateKeyPem());
    await ensureKeyFolder(dir, options);
    const certificate = new X509Certificate(readFileSync(natsServerCertificate));
    expect(certificate.checkPrivateKey(createPrivateKey(readFileSync(natsServerKey)))).toBe(true);
  });

  it('names the missing file and the command that creates it', () => {
    expect(() => readKeyFolder(dir)).toThrow(/ca\.crt does not exist\. Make it with: innctl init/);
  });

  it('says that a sealing key is damaged without showing it', () => {
    copyComplete();
    writeFileSync(keyFolderPaths(dir).sealingKeys, '{"current":"a","keys":{"a":"c2VjcmV0"}}');
    expect(() => readKeyFolder(dir)).toThrow(/sealing-keys\.json is damaged\. Restore it from a backup\.$/);
  });
});
