import { readDomainName } from '@innkeeper/domain';
import type { Signer } from '../secrets/signer.ts';

/** Returns the texts of a name's TXT records. Empty if there are none or if the DNS query fails. Never rejects. */
type ResolveTxt = (name: string) => Promise<readonly string[]>;

/**
 * Returns the IP addresses of a name, in canonical form. Empty if it has none, undefined if no DNS server answers. Never
 * rejects.
 */
type ResolveAddresses = (name: string) => Promise<readonly string[] | undefined>;

/** The questions that the control plane asks DNS. */
export interface Dns {
  resolveTxt: ResolveTxt;
  resolveAddresses: ResolveAddresses;
}

/** Rules for domain names in addition to the records of accounts. */
export interface NameGuard extends Dns {
  /**
   * Names of the provider from its configuration, as `readDomainName` returns them. The names of nodes are reserved as
   * well.
   */
  reserved: readonly string[];
  /** The TXT record by which an account proves that its owner owns a name. */
  proofOf(accountId: number, domainName: string): { name: string; value: string };
}

/** `names`: host names. IP addresses among them are ignored. */
export function createNameGuard({
  names,
  dns,
  signer,
}: {
  names: readonly string[];
  dns: Dns;
  signer: Signer;
}): NameGuard {
  const reserved = names.map((name) => readDomainName(name)).filter((name) => name !== undefined);
  return {
    ...dns,
    reserved: [...new Set(reserved)],
    proofOf: (accountId, domainName) => ({
      name: `_innkeeper.${domainName}`,
      value: `innkeeper-account=${signer.sign('domain-owner', [accountId, domainName])}`,
    }),
  };
}

/** For use where no domain is added: nothing is reserved, and nothing is proven. */
export const noNameGuard: NameGuard = {
  reserved: [],
  resolveTxt: async () => [],
  resolveAddresses: async () => undefined,
  proofOf: (_accountId, domainName) => ({ name: `_innkeeper.${domainName}`, value: '' }),
};
