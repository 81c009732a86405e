import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const PREFIX = 'innkeeper_api_';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the process tells Prometheus. Labels are route templates and fixed words, never names or ids. */
export function createMetrics(queue: { isConnected(): boolean }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  const registers = [registry];
  new Gauge({
    name: `${PREFIX}queue_connected`,
    help: 'Whether NATS is connected (1) or not (0).',
    registers,
    collect() {
      this.set(queue.isConnected() ? 1 : 0);
    },
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: `${PREFIX}http_request_duration_seconds`,
      help: 'Time from a request to its answer.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: SECONDS,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: `${PREFIX}http_requests_in_flight`,
      help: 'Requests that are being answered.',
      registers,
    }),
    rateLimited: new Counter({
      name: `${PREFIX}rate_limited_requests_total`,
      help: 'Requests that a rate limit refused, by its name.',
      labelNames: ['limit'] as const,
      registers,
    }),
    observedWaitSeconds: new Histogram({
      name: `${PREFIX}observed_wait_duration_seconds`,
      help: 'Time that writes waited for their node, by how the wait ended.',
      labelNames: ['outcome'] as const,
      buckets: SECONDS,
      registers,
    }),
    asks: new Counter({
      name: `${PREFIX}node_questions_total`,
      help: 'Questions to nodes, by what came of them: answered, away, silent, unreadable.',
      labelNames: ['verb', 'result'] as const,
      registers,
    }),
    wakes: new Counter({
      name: `${PREFIX}wakes_total`,
      help: 'Wakes of nodes, by whether NATS took them.',
      labelNames: ['result'] as const,
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
