import { isIP } from 'node:net';

/**
 * Where nodes find NATS, given where this instance finds it: the same, unless that is this machine's own
 * loopback, which to a node is itself. Then it is the first host under which nodes reach the control plane.
 */
export function natsUrlForNodes(natsUrl: string, publicHosts: readonly string[]): string {
  const url = new URL(natsUrl);
  const [host] = publicHosts;
  if (host === undefined || !isLoopback(url.hostname)) return natsUrl;
  return `${url.protocol}//${isIP(host) === 6 ? `[${host}]` : host}:${url.port || '4222'}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
