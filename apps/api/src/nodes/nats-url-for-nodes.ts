import { isIP } from 'node:net';

/**
 * Returns the URL under which nodes reach NATS, from the URL of this instance. It is the same URL, unless the host is
 * loopback: for a node that would be the node itself. Then the host is the first host under which nodes reach the
 * control plane.
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
