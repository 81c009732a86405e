import { encodeJoinToken } from '@innkeeper/protocol/identity';
import type { Deps } from '../deps.ts';

/**
 * What hosting servers join with: where they call, and the CA that they shall recognise. `host` is a name or an IP
 * address of the control plane.
 */
export function createJoin({ host, port, ca }: { host: string; port: number; ca: string }): Deps['join'] {
  const control = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { control, tokenFor: (node, secret) => encodeJoinToken({ node, secret, ca, control }) };
}
