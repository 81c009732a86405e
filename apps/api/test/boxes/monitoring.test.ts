import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeFigures } from '@innkeeper/protocol';
import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from './installation.ts';

/** The alert rules and the dashboard of deploy/, against what a real installation offers to Prometheus. */
const root = join(import.meta.dirname, '../../../..');
const RULES = join(root, 'deploy/prometheus/innkeeper.rules.yml');
const DASHBOARD = join(root, 'deploy/grafana/innkeeper.json');
const run = promisify(execFile);

let installation: Installation;
let server: HostingServer;
let text = '';

const promtool = (...args: string[]) => run('promtool', args, { cwd: root });

async function scrape(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${installation.ports.metrics}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ]);
  return await answer.text();
}

/** Names of the metrics that a scrape declares, and those of their buckets, sums and counts. */
function metricsOf(scraped: string): Set<string> {
  const names = new Set(['up', 'ALERTS']);
  for (const [, name, type] of scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    names.add(name!);
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
  }
  return names;
}

function metricsIn(expression: string): string[] {
  return expression.match(/\b(?:innkeeper|nodejs|process)_\w+/g) ?? [];
}

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  text = await waitUntil(
    'the figures of web1',
    async () => {
      const scraped = await scrape();
      return scraped.includes('innkeeper_node_queue_waiting{node="web1"}') && scraped;
    },
    { timeoutMs: 60_000, everyMs: 1_000 },
  );
});

describe('the metrics of the control plane', () => {
  it('have the usual names for the process, and every figure of every node', () => {
    const lines = text.split('\n');
    const read = (series: string) =>
      Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length));
    expect(read('process_resident_memory_bytes')).toBeGreaterThan(20e6);
    expect(text).toContain('\nnodejs_eventloop_lag_seconds ');
    expect(text).not.toMatch(/innkeeper_(?:api|agent)_(?:process|nodejs)_/);
    expect(read('innkeeper_api_node_metrics_readable')).toBe(1);
    expect(read('innkeeper_node_up{node="web1"}')).toBe(1);
    for (const name of Object.keys(nodeFigures))
      expect(read(`innkeeper_node_${name}{node="web1"}`), name).toBeGreaterThanOrEqual(0);
    expect(read('innkeeper_node_homes_bytes{node="web1"}')).toBeGreaterThan(1e6);
  });

  it('follow a node', async () => {
    const started = (scraped: string) =>
      Number(scraped.match(/^innkeeper_node_agent_start_timestamp_seconds\{node="web1"\} (\S+)$/m)?.[1]);
    const before = started(text);
    await server.box.require(['systemctl', 'restart', 'innkeeper-agent']);
    await waitUntil('the start of the new agent', async () => started(await scrape()) > before, {
      timeoutMs: 60_000,
      everyMs: 500,
    });
  });

  it('are well-formed', async () => {
    const child = run('promtool', ['check', 'metrics'], { cwd: root });
    child.child.stdin?.end(text);
    // Exit code 3: advice about names. prom-client's own `nodejs_active_handles_total` is such a name.
    const { stderr } = await child.catch((error: { code: number; stderr: string }) => {
      expect(error.code, error.stderr).toBe(3);
      return error;
    });
    expect(stderr.split('\n').filter((line) => /innkeeper_/.test(line))).toEqual([]);
  });
});

describe('the alert rules', () => {
  it('fire for recorded series, and only for those', async () => {
    const { stdout } = await promtool('test', 'rules', 'deploy/prometheus/innkeeper.rules.test.yml');
    expect(stdout).toContain('SUCCESS');
  });

  it('use metrics that exist; each has a test and a paragraph in the manual', async () => {
    const [rules, tests, manual] = await Promise.all([
      readFile(RULES, 'utf8'),
      readFile(join(root, 'deploy/prometheus/innkeeper.rules.test.yml'), 'utf8'),
      readFile(join(root, 'docs/operations.md'), 'utf8'),
    ]);
    const known = metricsOf(text);
    expect(metricsIn(rules.replace(/^#.*$/gm, '')).filter((name) => !known.has(name))).toEqual([]);
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(alerts.length).toBeGreaterThan(20);
    for (const alert of alerts) {
      expect(tests, alert).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:`));
      expect(manual, alert).toContain(`**${alert}**`);
    }
  });
});

describe('the dashboard', () => {
  it('has queries that Prometheus understands, of metrics that exist', async () => {
    const dashboard = JSON.parse(await readFile(DASHBOARD, 'utf8')) as {
      panels: { title: string; targets?: { expr: string }[] }[];
      annotations: { list: { expr: string }[] };
    };
    const queries = [
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...dashboard.annotations.list.map(({ expr }) => expr),
    ];
    expect(queries.length).toBeGreaterThan(20);
    const known = metricsOf(text);
    expect(queries.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
    const rules = queries.map((expr, at) => ({
      record: `query:${at}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$node', '.*'),
    }));
    const folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
    try {
      // YAML is a superset of JSON.
      const file = join(folder, 'queries.yml');
      await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      const { stdout } = await promtool('check', 'rules', file);
      expect(stdout).toContain(`${rules.length} rules found`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
