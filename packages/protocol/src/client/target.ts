import { DomainError } from '@innkeeper/domain';

/** Splits `host:port`, with an IPv6 address in brackets. Throws DomainError `invalid`. */
export function splitTarget(target: string): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(target);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65_535)
    throw new DomainError(
      'invalid',
      `"${target}" is not an address of a control plane; it must be HOST:PORT.`,
    );
  return { host, port };
}
