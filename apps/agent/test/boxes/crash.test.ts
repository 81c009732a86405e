import type { AccountSpec } from '@innkeeper/protocol';
import { waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { crashSteps } from './crash-steps.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/**
 * The agent is killed after one of its changes, then after a later one, and so on, until an operation needs fewer
 * changes. systemd restarts it, and it finishes the incomplete work.
 */
let server: AgentBox;
const MOST_STEPS = 60;
const TIME_LIMIT_MS = 25 * 60_000;

beforeAll(async () => {
  server = await startAgentBox('crash');
});

afterAll(() => server.remove());

const accountOf = (step: number): AccountSpec =>
  specOf({
    account_id: step,
    uid: 20_000 + step,
    linux_user: `crash${step}`,
    terminal_access: true,
    smtp_port_25: true,
    domains: [domainOf(step, `crash${step}.example.com`)],
  });

/** Starts the agent so that it kills itself after this number of changes. Returns whether it did. */
async function crashingAfter(changes: number, operation: () => Promise<unknown>): Promise<boolean> {
  const { box } = server;
  await box.require(['systemctl', 'stop', 'innkeeper-agent']);
  await box.writeFile('/run/innkeeper/crash-after', String(changes));
  await box.require(['systemctl', 'start', 'innkeeper-agent']);
  const before = await server.restarts();
  await operation();
  return (await server.restarts()) > before;
}

async function untilIdle(): Promise<void> {
  await waitUntil('the agent to be idle', async () => {
    const { accounts, queue, reports_unsent } = await server.status();
    return accounts.total === 0 && queue.running + queue.waiting + reports_unsent === 0;
  });
}

test('an agent that is killed at any step of a create or a removal finishes it after its restart, and leaves nothing behind', {
  timeout: TIME_LIMIT_MS,
  // A retry would meet what the first attempt left on the server.
  retry: 0,
}, async () => {
  let createCrashed = true;
  let deleteCrashed = true;
  const { first, every } = crashSteps();
  const lastCrash = { create: 0, delete: 0 };
  for (let step = first; createCrashed || deleteCrashed; step += every) {
    expect(step).toBeLessThan(MOST_STEPS);
    const spec = accountOf(step);
    const name = spec.domains[0]!.name;
    createCrashed = await crashingAfter(step, async () => {
      expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
    });
    if (createCrashed) lastCrash.create = step;
    expect((await visit(server.box.address, name)).status).toBe(200);
    expect(await server.box.require(['id', '-u', spec.linux_user])).toBe(`${spec.uid}\n`);

    const gone: AccountSpec = { ...spec, generation: 2, desired_state: 'absent' };
    deleteCrashed = await crashingAfter(step, async () => {
      expect(await server.settle(gone)).toMatchObject({ outcome: 'absent' });
      await untilIdle();
    });
    if (deleteCrashed) lastCrash.delete = step;
    expect({ step, remains: await findRemains(server.box, spec, [name]) }).toEqual({ step, remains: [] });
    expect((await visit(server.box.address, name)).status).toBe(404);
  }
  console.log(`killed at every ${every}. step from ${first} to ${JSON.stringify(lastCrash)}`);
  expect(lastCrash.create).toBeGreaterThan(5);
  expect(lastCrash.delete).toBeGreaterThan(5);
});
