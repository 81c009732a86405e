import { readDomainName } from '@innkeeper/domain';
import type { Signer } from '../secrets/signer.ts';

/** Returns the texts of a name's TXT records. Empty if there are none or if the DNS query fails. Never rejects. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>;

/** Rules for domain names in addition to the records of accounts. */
export interface NameGuard {
  /**
   * Names of the provider from its configuration, as `readDomainName` returns them. The names of nodes are reserved as
   * well.
   */
  reserved: readonly string[];
  resolveTxt: ResolveTxt;
  /** The TXT record by which an account proves that its owner owns a name. */
  proofOf(accountId: number, domainName: string): { name: string; value: string };
}

/** `names`: host names. IP addresses among them are ignored. */
export function createNameGuard({
  names,
  resolveTxt,
  signer,
}: {
  names: readonly string[];
  resolveTxt: ResolveTxt;
  signer: Signer;
}): NameGuard {
  const reserved = names.map((name) => readDomainName(name)).filter((name) => name !== undefined);
  return {
    reserved: [...new Set(reserved)],
    resolveTxt,
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
  proofOf: (_accountId, domainName) => ({ name: `_innkeeper.${domainName}`, value: '' }),
};
