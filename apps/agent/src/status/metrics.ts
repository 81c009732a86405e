import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const DURATION_BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The agent's metrics, in base units; those of Node.js and the process under their usual names. Labels have few values
 * and name no account, user or site.
 */
export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name: `innkeeper_agent_${name}`, help, labelNames, registers });
  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `innkeeper_agent_${name}`, help, labelNames, registers });

  const buildInfo = gauge('build_info', 'Always 1. The labels have the versions.', [
    'version',
    'node_version',
  ]);
  buildInfo.set({ version, node_version: process.versions.node }, 1);

  return {
    registry,
    accounts: gauge('accounts', 'Number of accounts in the ledger, by outcome of the last pass.', [
      'outcome',
    ]),
    driverDuration: new Histogram({
      name: 'innkeeper_agent_driver_duration_seconds',
      help: 'Duration of one driver for one account in one pass, in seconds.',
      labelNames: ['driver'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    changes: counter('changes_total', 'Changes that drivers planned and applied.', ['driver']),
    driftRepaired: counter('drift_repaired_total', 'Changes that repaired drift, without a new spec.', [
      'driver',
    ]),
    passes: counter('passes_total', 'Finished passes over an account, by outcome.', ['outcome']),
    channels: gauge('channels_open', 'Number of open live channels to programs of accounts.', ['kind']),
    queueWaiting: gauge('queue_waiting', 'Number of accounts that wait for a pass.'),
    passesRunning: gauge('passes_running', 'Number of running passes.'),
    specsRefused: counter('specs_refused_total', 'Received specs that the agent refused.'),
    pullErrors: counter('pull_errors_total', 'Failed pulls from the control plane.'),
    reportErrors: counter(
      'report_errors_total',
      'Reports that the control plane did not accept, by whether the agent retries them.',
      ['retried'],
    ),
    reportsUnsent: gauge('reports_unsent', 'Number of accounts whose newest report is not delivered yet.'),
    connected: gauge('control_plane_connected', '1 if the last call to the control plane succeeded, else 0.'),
    firewall: gauge('firewall_in_place', '1 if the firewall of accounts is loaded in the kernel, else 0.'),
    superseded: gauge('superseded', '1 if a later agent has taken over this node, else 0.'),
    lastPull: gauge('last_pull_timestamp_seconds', 'Time of the last successful pull, in Unix seconds.'),
    ledgerQuarantined: gauge(
      'ledger_quarantined_files',
      'Number of invalid ledger files that were quarantined.',
    ),
    nodeChanges: counter(
      'node_changes_total',
      'Changes on this server by the agent: files, programs, signals.',
    ),
    nginxReloads: counter('nginx_reloads_total', 'nginx reloads by the agent.'),
    trafficBytes: counter(
      'traffic_counted_bytes_total',
      'Bytes that sites sent, counted from the access log.',
    ),
    trafficRefused: counter(
      'traffic_refused_lines_total',
      'Access-log lines that the agent ignored because nginx cannot have written them.',
    ),
    trafficLost: counter(
      'traffic_lost_files_total',
      'Access-log files that disappeared before they were fully read (their bandwidth is not counted).',
    ),
    trafficRead: gauge(
      'traffic_read_timestamp_seconds',
      'Time when the access log was last fully read, in Unix seconds.',
    ),
    diskSweep: gauge(
      'disk_sweep_seconds',
      'Duration of the last disk measurement of all accounts, without pauses, in seconds.',
    ),
    diskUnknown: gauge(
      'disk_unmeasured_accounts',
      'Number of accounts whose disk usage was not measured since the agent started.',
    ),
    phpStopped: counter(
      'idle_php_stopped_total',
      'PHP masters that the agent stopped because they were idle.',
    ),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
