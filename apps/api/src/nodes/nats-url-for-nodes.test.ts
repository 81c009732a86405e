import { expect, it } from 'vitest';
import { natsUrlForNodes } from './nats-url-for-nodes.ts';

it.each([
  ['tls://127.0.0.1:4222', ['panel.test', '10.0.0.1'], 'tls://panel.test:4222'],
  ['tls://localhost:5222', ['10.0.0.1'], 'tls://10.0.0.1:5222'],
  ['tls://[::1]:4222', ['2001:db8::1'], 'tls://[2001:db8::1]:4222'],
  ['tls://nats.test:4222', ['panel.test'], 'tls://nats.test:4222'],
  ['nats://10.0.0.9:4222', ['panel.test'], 'nats://10.0.0.9:4222'],
  ['tls://127.0.0.1', ['panel.test'], 'tls://panel.test:4222'],
])('%s of a control plane at %j becomes %s for nodes', (url, hosts, expected) => {
  expect(natsUrlForNodes(url, hosts)).toBe(expected);
});
