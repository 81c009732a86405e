import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from './fake-clock.ts';
import { findVisibleProcesses, type Weakness, watchServerWarnings } from './server-warnings.ts';

test('codes follow the findings, and each weakness is logged once', async () => {
  const open: Weakness = { code: 'FOLDER_OPEN', sentence: '/srv is open.' };
  const second: Weakness = { code: 'FOLDER_OPEN', sentence: '/home is open.' };
  const ptrace: Weakness = { code: 'PTRACE_UNRESTRICTED', sentence: 'ptrace_scope is 0.' };
  const answers: (readonly Weakness[] | Error)[] = [
    [ptrace, open],
    [ptrace, open, second],
    new Error('EIO'),
    [second],
    [],
  ];
  const lines: string[] = [];
  const clock = new FakeClock();
  const warnings = watchServerWarnings({
    find: async () => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    everyMs: 1_000,
    clock,
    log: {
      warn: (fields: { weakness?: string }) => void lines.push(`+ ${fields.weakness ?? 'failed'}`),
      info: (fields: { weakness?: string }) => void lines.push(`- ${fields.weakness}`),
    } as never,
  });
  const seen: string[][] = [];
  for (let look = 0; look < 5; look += 1) {
    await new Promise(setImmediate);
    seen.push(warnings.codes());
    await clock.advance(1_000);
  }
  const both = ['FOLDER_OPEN', 'PTRACE_UNRESTRICTED'];
  expect(seen).toEqual([both, both, both, ['FOLDER_OPEN'], []]);
  expect(lines).toEqual([
    '+ ptrace_scope is 0.',
    '+ /srv is open.',
    '+ /home is open.',
    '+ failed',
    '- ptrace_scope is 0.',
    '- /srv is open.',
    '- /home is open.',
  ]);

  warnings.set('FIREWALL_MISSING', true);
  expect(warnings.codes()).toEqual(['FIREWALL_MISSING']);
  warnings.set('FIREWALL_MISSING', false);
  expect(warnings.codes()).toEqual([]);
  warnings.stop();
});

test.each([
  ['rw,gid=998,hidepid=invisible', 0],
  ['rw,hidepid=2', 0],
  ['rw', 1],
  ['rw,hidepid=off', 1],
])('with /proc mounted %s, there are %d warnings about visible processes', async (options, count) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'mountinfo');
  await writeFile(
    file,
    `20 1 0:1 / / rw - ext4 /dev/sda rw\n22 20 0:21 / /proc rw,relatime - proc proc ${options}\n23 22 0:21 /sys /proc/sys ro - proc proc rw\n`,
  );
  expect(await findVisibleProcesses(file)).toHaveLength(count);
});
