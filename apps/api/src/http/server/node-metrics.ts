import { nodeFigures } from '@innkeeper/protocol';
import type { NodeWithFigures } from '@innkeeper/services';
import { Counter, Gauge, Registry } from 'prom-client';

const PREFIX = 'innkeeper_node_';
/** Scrapes within this time get the same text, from one SQL statement. In ms; nodes send a heartbeat every 10 s. */
const FRESH_MS = 5_000;

interface NodeMetricsDeps {
  readonly listNodes: () => Promise<NodeWithFigures[]>;
  /** Monotonic clock, ms. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Returns a function that answers with the figures of all nodes as text for Prometheus, with the name of the node as
 * label: hosting servers need no scraper of their own. Every instance of the API offers the same, so queries take
 * `max by (node)`. Without the database there are none, and `innkeeper_api_node_metrics_readable` is 0.
 */
export function createNodeMetrics({ listNodes, now, onError }: NodeMetricsDeps): () => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const readable = new Gauge({
    name: 'innkeeper_api_node_metrics_readable',
    help: '1 if the control plane could read the figures of the nodes, else 0.',
    registers,
  });
  const facts = perNode.map(({ name, help, valueIn }) => ({
    metric: new Gauge({ name: PREFIX + name, help, labelNames: ['node'], registers }),
    valueIn,
  }));
  const figures = (Object.keys(nodeFigures) as (keyof typeof nodeFigures)[]).map((name) => {
    const config = { name: PREFIX + name, help: nodeFigures[name], labelNames: ['node'], registers };
    return { name, metric: name.endsWith('_total') ? new Counter(config) : new Gauge(config) };
  });
  const warning = new Gauge({
    name: `${PREFIX}warning`,
    help: '1 for each warning of the server, by its code: a protection that it lacks, or a service that does not run.',
    labelNames: ['node', 'code'],
    registers,
  });
  const info = new Gauge({
    name: `${PREFIX}info`,
    help: 'Always 1. The labels have the address of the node and the version of its agent.',
    labelNames: ['node', 'address', 'agent_version'],
    registers,
  });

  function set(view: NodeWithFigures): void {
    const node = view.name;
    for (const { metric, valueIn } of facts) {
      const value = valueIn(view);
      if (value !== null) metric.set({ node }, value);
    }
    for (const { name, metric } of figures) {
      const value = view.figures[name];
      if (value === undefined) continue;
      // A total counts from the start of the agent: its counter shows the same number, and resets with it.
      if (metric instanceof Counter) metric.inc({ node }, Math.max(0, value));
      else metric.set({ node }, value);
    }
    if (view.online) for (const code of view.warnings) warning.set({ node, code }, 1);
    info.set({ node, address: view.address, agent_version: view.agent_version ?? '' }, 1);
  }

  async function read(): Promise<string> {
    registry.resetMetrics();
    try {
      for (const node of await listNodes()) set(node);
      readable.set(1);
    } catch (error) {
      onError(error);
      readable.set(0);
    }
    return await registry.metrics();
  }

  let readAt = Number.NEGATIVE_INFINITY;
  let text: Promise<string> = Promise.resolve('');
  return () => {
    if (now() - readAt > FRESH_MS) {
      readAt = now();
      // One after the other: two reads at once would mix their values.
      text = text.catch(() => '').then(read);
    }
    return text;
  };
}

const MIB = 1_048_576;

const perNode: readonly {
  readonly name: string;
  readonly help: string;
  /** Null: not known. */
  readonly valueIn: (node: NodeWithFigures) => number | null;
}[] = [
  {
    name: 'up',
    help: '1 if the node sent a heartbeat within 45 s, else 0.',
    valueIn: (node) => +node.online,
  },
  {
    name: 'cordoned',
    help: '1 if the node gets no new accounts, else 0.',
    valueIn: (node) => +node.cordoned,
  },
  {
    name: 'last_seen_timestamp_seconds',
    help: 'Time of the last heartbeat, in Unix seconds.',
    valueIn: ({ last_seen_at }) => last_seen_at && last_seen_at.getTime() / 1_000,
  },
  {
    name: 'accounts',
    help: 'Number of accounts in the ledger of the node, at its last heartbeat.',
    valueIn: (node) => node.accounts_reported,
  },
  {
    name: 'accounts_failing',
    help: 'Number of accounts that are not as they should be, at the last heartbeat: failed ones and those that the agent retries.',
    valueIn: (node) => node.accounts_failed,
  },
  {
    name: 'allocated_memory_bytes',
    help: 'Sum of the memory limits of its accounts, in bytes.',
    valueIn: ({ allocated }) => allocated.ram_mb * MIB,
  },
  {
    name: 'allocated_disk_bytes',
    help: 'Sum of the disk limits of its accounts, in bytes.',
    valueIn: ({ allocated }) => allocated.disk_mb * MIB,
  },
  {
    name: 'placement_memory_bytes',
    help: 'Memory that placement counts with, in bytes.',
    valueIn: ({ counted }) => counted.memory_bytes,
  },
  {
    name: 'placement_disk_bytes',
    help: 'Disk space that placement counts with, in bytes.',
    valueIn: ({ counted }) => counted.disk_bytes,
  },
  {
    name: 'capacity_jumped',
    help: '1 if the node reports implausibly more memory or disk than is known of it, else 0.',
    valueIn: (node) => Number(node.capacity_jumped_at !== null),
  },
];
