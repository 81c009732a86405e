import { dirname } from 'node:path';
import type { Box } from '@innkeeper/testkit/machine';
import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../driver-contract.ts';
import { bundleProgram } from './bundle-program.ts';
import { crashSteps } from './crash-steps.ts';

/**
 * crash.test.ts kills the agent itself at steps of a create and a delete, so only a full run crashes here there too. The
 * kernel of a box has no quota: see disk-quota.test.ts.
 */
const elsewhere = crashSteps().every === 1 ? /disk limit/ : /crash .* (?:active|absent)|disk limit/;
const onServer = contract.filter(({ name }) => !elsewhere.test(name));

/** In the agent's sandbox: what its unit forbids the agent is forbidden to the drivers here too. */
const IN_THE_AGENTS_PLACE = '/etc/systemd/system/innkeeper-agent.service.d/contract.conf';
const dropIn = `[Service]
Type=oneshot
Restart=no
ExecStart=
ExecStart=/opt/innkeeper/agent/node /root/contract.mjs
StandardInput=file:/root/cases.json
StandardOutput=truncate:/root/results.jsonl
StandardError=journal
`;

/** The number of slowest cases to print. */
const SLOWEST = 12;

/** Registers the cases of the driver contract, which run in the agent's place on a server. The agent is stopped. */
export function contractOnServer(title: string, server: () => Box): void {
  describe(title, () => {
    const results = new Map<string, string>();

    beforeAll(async () => {
      const box = server();
      await box.writeFile('/root/contract.mjs', await bundleProgram('contract-program.ts'));
      const cases = { names: onServer.map(({ name }) => name), crashes: crashSteps() };
      await box.writeFile('/root/cases.json', JSON.stringify(cases));
      await box.require(['mkdir', '-p', dirname(IN_THE_AGENTS_PLACE)]);
      await box.writeFile(IN_THE_AGENTS_PLACE, dropIn);
      await box.require(['systemctl', 'daemon-reload']);
      await box.require(['systemctl', 'stop', 'innkeeper-agent']);
      const run = await box.exec(['systemctl', 'start', 'innkeeper-agent'], { timeoutMs: 1_200_000 });
      if (run.exitCode !== 0)
        throw new Error(await box.require(['journalctl', '-u', 'innkeeper-agent', '-n', '30', '-o', 'cat']));
      const printed = await box.readFile('/root/results.jsonl');
      const ended = printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { name: string; failure: string; ms: number });
      for (const { name, failure } of ended) results.set(name, failure);
      for (const { name, ms } of ended.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
        console.log(`${ms} ms: ${name}`);
    }, 1_220_000);

    test.each(onServer.map(({ name }) => name))('%s', (name) => {
      expect(results.get(name)).toBe('');
    });
  });
}
