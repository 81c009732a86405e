import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const DURATION_BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The agent's metrics: base units, and labels whose values are few and name no account, user or site. */
export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'innkeeper_agent_' });
  const counter = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name: `innkeeper_agent_${name}`, help, labelNames, registers });
  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `innkeeper_agent_${name}`, help, labelNames, registers });

  const buildInfo = gauge('build_info', 'Always 1; the labels say what runs.', ['version', 'node_version']);
  buildInfo.set({ version, node_version: process.versions.node }, 1);

  return {
    registry,
    accounts: gauge('accounts', 'Accounts in the ledger by the outcome of their last pass.', ['outcome']),
    driverDuration: new Histogram({
      name: 'innkeeper_agent_driver_duration_seconds',
      help: 'Time a driver took for one account in one pass.',
      labelNames: ['driver'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    changes: counter('changes_total', 'Changes that drivers planned and made.', ['driver']),
    driftRepaired: counter(
      'drift_repaired_total',
      'Changes that put back what had been true before, without a new spec.',
      ['driver'],
    ),
    passes: counter('passes_total', 'Passes over an account that ended.', ['outcome']),
    queueWaiting: gauge('queue_waiting', 'Accounts that wait for a pass.'),
    passesRunning: gauge('passes_running', 'Passes under way.'),
    specsRefused: counter('specs_refused_total', 'Received specs that were refused.'),
    pullErrors: counter('pull_errors_total', 'Failed attempts to ask the control plane for work.'),
    reportErrors: counter('report_errors_total', 'Reports that were not taken.', ['retried']),
    reportsUnsent: gauge('reports_unsent', 'Accounts whose newest report has not been taken yet.'),
    connected: gauge('control_plane_connected', '1 while the last call to the control plane succeeded.'),
    firewall: gauge('firewall_in_place', '1 while the kernel holds the firewall of accounts.'),
    superseded: gauge('superseded', '1 once a later agent has taken this node over.'),
    lastPull: gauge('last_pull_timestamp_seconds', 'When the control plane last answered a pull, Unix time.'),
    ledgerQuarantined: gauge(
      'ledger_quarantined_files',
      'Ledger files that could not be read and were set aside.',
    ),
    nodeChanges: counter(
      'node_changes_total',
      'Everything that changed this server: files, programs, signals.',
    ),
    nginxReloads: counter('nginx_reloads_total', 'Reloads of nginx by the agent.'),
    trafficBytes: counter('traffic_counted_bytes_total', 'Bytes that sites sent, as read from the log.'),
    trafficRefused: counter(
      'traffic_refused_lines_total',
      'Lines of the log of the sites that nginx cannot have written.',
    ),
    trafficLost: counter(
      'traffic_lost_files_total',
      'Logs of the sites that went before they were read to their end.',
    ),
    trafficRead: gauge(
      'traffic_read_timestamp_seconds',
      'When the log of the sites was last read to its end, Unix time.',
    ),
    diskSweep: gauge(
      'disk_sweep_seconds',
      'Time that measuring the disk of every account took last, without its rests.',
    ),
    diskUnknown: gauge(
      'disk_unmeasured_accounts',
      'Accounts whose disk has not been measured since the start.',
    ),
    phpStopped: counter(
      'idle_php_stopped_total',
      'PHP masters that were stopped because nobody asked for them.',
    ),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
