import { readDomainName } from '@innkeeper/domain';
import type { Signer } from '../secrets/signer.ts';

/** Texts of the TXT records of a name; none where it has none or DNS cannot be asked. Never rejects. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>;

/** Rules for domain names in addition to the records of accounts. */
export interface NameGuard {
  /** Names of the provider's own in its configuration, as `readDomainName` gives them. Nodes have more. */
  reserved: readonly string[];
  resolveTxt: ResolveTxt;
  /** The TXT record by which an account shows that a name is its owner's. */
  proofOf(accountId: number, domainName: string): { name: string; value: string };
}

/** `names`: host names, addresses among them, which are passed over. */
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

/** Where no domain is added: nothing is reserved, and nothing is proven. */
export const noNameGuard: NameGuard = {
  reserved: [],
  resolveTxt: async () => [],
  proofOf: (_accountId, domainName) => ({ name: `_innkeeper.${domainName}`, value: '' }),
};
