import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const PREFIX = 'innkeeper_api_';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of the process for Prometheus; those of Node.js and the process under their usual names. Labels are route
 * templates and fixed words, never names or ids.
 */
export function createMetrics(queue: { isConnected(): boolean }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: `${PREFIX}queue_connected`,
    help: '1 if NATS is connected, else 0.',
    registers,
    collect() {
      this.set(queue.isConnected() ? 1 : 0);
    },
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: `${PREFIX}http_request_duration_seconds`,
      help: 'Duration of a request until its response, in seconds.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: SECONDS,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: `${PREFIX}http_requests_in_flight`,
      help: 'Number of requests in progress.',
      registers,
    }),
    rateLimited: new Counter({
      name: `${PREFIX}rate_limited_requests_total`,
      help: 'Requests that a rate limit refused, by name of the limit.',
      labelNames: ['limit'] as const,
      registers,
    }),
    observedWaitSeconds: new Histogram({
      name: `${PREFIX}observed_wait_duration_seconds`,
      help: 'Time that writes waited for their node, in seconds, by outcome of the wait.',
      labelNames: ['outcome'] as const,
      buckets: SECONDS,
      registers,
    }),
    channels: new Counter({
      name: `${PREFIX}node_channels_total`,
      help: 'Live channels to programs of accounts that were asked for, by result: opened, failed.',
      labelNames: ['kind', 'result'] as const,
      registers,
    }),
    channelsOpen: new Gauge({
      name: `${PREFIX}node_channels_open`,
      help: 'Number of open live channels to programs of accounts.',
      labelNames: ['kind'] as const,
      registers,
    }),
    asks: new Counter({
      name: `${PREFIX}node_questions_total`,
      help: 'Questions to nodes, by result: answered, away (no agent connected), silent (timeout), unreadable (invalid answer).',
      labelNames: ['verb', 'result'] as const,
      registers,
    }),
    wakes: new Counter({
      name: `${PREFIX}wakes_total`,
      help: 'Wakes of nodes, by whether NATS accepted them.',
      labelNames: ['result'] as const,
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
