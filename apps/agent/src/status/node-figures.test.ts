import { nodeFigures } from '@innkeeper/protocol';
import { expect, test, vi } from 'vitest';
import type { AgentStatus } from './agent-status.ts';
import { createMetrics } from './metrics.ts';
import { busySecondsOf, readNodeFigures, watchNodeFigures } from './node-figures.ts';

const status = (): AgentStatus => ({
  version: '1.0.0',
  ready: true,
  reasons: [],
  superseded: false,
  control_plane_connected: true,
  last_pull_at: null,
  accounts: { total: 5, applied: 2, failed: 1, progressing: 2, absent: 0, unknown: 0 },
  queue: { waiting: 3, running: 1 },
  reports_unsent: 4,
  ledger_quarantined: 1,
  troubled: [],
});

const mail = () => ({
  mail_queued: 1,
  mail_queue_oldest_seconds: 60,
  mail_queue_bytes: 2_000,
  mail_sent_today: 5,
  mail_refused_today: 0,
});

test('figures hold every value of the table, as finite numbers', async () => {
  const metrics = createMetrics('1.0.0');
  metrics.driftRepaired.inc({ driver: 'web' }, 2);
  metrics.driftRepaired.inc({ driver: 'home' });
  const figures = await readNodeFigures({ metrics, status, mail, homes: '/', now: () => 0 });
  expect(Object.keys(figures).sort()).toEqual(Object.keys(nodeFigures).sort());
  expect(Object.values(figures).every(Number.isFinite)).toBe(true);
  expect(figures).toMatchObject({
    accounts_progressing: 2,
    queue_waiting: 3,
    reports_unsent: 4,
    ledger_quarantined_files: 1,
    drift_repaired_total: 3,
  });
  expect(figures.memory_available_bytes).toBeLessThanOrEqual(figures.memory_bytes!);
});

test('the processors’ busy time leaves out idle and iowait, and counts guests once', () => {
  expect(busySecondsOf('cpu  100 10 40 5000 900 5 20 25 80 7\ncpu0 1 1 1 1\n')).toBe(2);
});

test('figures that could not be read for a minute are not sent', async () => {
  let now = 0;
  let homes = '/';
  const deps = {
    metrics: createMetrics('1.0.0'),
    status,
    mail,
    get homes() {
      return homes;
    },
    now: () => now,
  };
  const figures = watchNodeFigures(deps);
  expect(figures()).toEqual({});
  await vi.waitFor(() => expect(figures()).toMatchObject({ queue_waiting: 3 }));
  homes = '/does/not/exist';
  now = 59_000;
  expect(figures()).toMatchObject({ queue_waiting: 3 });
  now = 61_000;
  expect(figures()).toEqual({});
});
