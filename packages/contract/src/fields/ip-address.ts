import { canonicalAddress } from '@innkeeper/domain';
import type { FieldKind } from './field.ts';

/** An IPv4 or IPv6 address. Normalized to its canonical notation. */
export function ipAddress(): FieldKind<string> {
  return {
    rules: [
      (value) =>
        typeof value === 'string' && canonicalAddress(value) !== undefined
          ? undefined
          : 'The :attribute field must be a valid IP address.',
    ],
    read: (value) => canonicalAddress(String(value)) ?? '',
    schema: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
  };
}
