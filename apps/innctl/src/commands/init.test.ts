import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInnctl } from '../program.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'innctl-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function run(...args: string[]) {
  const output = { out: '', err: '' };
  const exitCode = await runInnctl(
    args,
    {
      out: (text) => {
        output.out += `${text}\n`;
      },
      err: (text) => {
        output.err += `${text}\n`;
      },
      readStdin: async () => '',
    },
    {},
  );
  return { exitCode, ...output };
}

describe('innctl init', () => {
  it('creates the keys once and prints the path of the NATS configuration', async () => {
    const args = ['init', '--keys', join(dir, 'keys'), '--host', '10.77.0.1,panel.test', '--json'];
    const first = await run(...args);
    expect(first.exitCode).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({
      ca_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      nats_config: join(dir, 'keys/nats/nats-server.conf'),
    });
    const second = JSON.parse((await run(...args)).out);
    expect(second.created).toEqual([join(dir, 'keys/nats/nats-server.conf')]);
    expect(second.ca_fingerprint).toBe(JSON.parse(first.out).ca_fingerprint);
  });

  it.each([
    [[], /--keys/],
    [['--keys', 'x', '--host', 'a b'], /not a host name or an IP address/],
    [['--keys', 'x', '--host', 'a', '--nats-port', '0'], /1 to 65535/],
    [['--keys', 'x', '--host', 'a', '--bogus'], /--bogus/],
  ])('%j is a usage error with a reason', async (args, message) => {
    const { exitCode, err, out } = await run('init', ...args);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toMatch(message);
  });
});

describe('innctl', () => {
  it('documents its exit codes and settings', async () => {
    const { exitCode, out } = await run('--help');
    expect(exitCode).toBe(0);
    for (const word of ['Exit codes', 'INNKEEPER_DATABASE_URL', 'INNKEEPER_KEYS_DIR', 'init'])
      expect(out).toContain(word);
  });

  it('refuses an unknown command', async () => {
    expect(await run('frobnicate')).toMatchObject({ exitCode: 2, out: '' });
  });
});
