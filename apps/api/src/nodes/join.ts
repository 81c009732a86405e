import { encodeJoinToken } from '@innkeeper/protocol/identity';
import type { Deps } from '../deps.ts';

/**
 * Data that hosting servers join with: the address to call, and the CA to trust. `host` is a name or an IP address of
 * the control plane.
 */
export function createJoin({ host, port, ca }: { host: string; port: number; ca: string }): Deps['join'] {
  const control = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { control, tokenFor: (node, secret) => encodeJoinToken({ node, secret, ca, control }) };
}
