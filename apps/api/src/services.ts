import type { AccountInclude, endpoints, ViewOf } from '@innkeeper/contract';
import type { Ability, AccountLimits } from '@innkeeper/domain';
import type { ServiceContext } from '@innkeeper/services';
import type { z } from 'zod';

type View<Name extends keyof typeof endpoints> = ViewOf<z.output<(typeof endpoints)[Name]['response']>>;
type AccountView = View<'getAccount'>['data'];
type DomainView = View<'getDomain'>['data'];
export interface Written<V> {
  view: V;
  nodeId: number;
  accountId: number;
  generation: number;
}
export interface Page<I> {
  items: readonly I[];
  page: number;
  per_page: number;
  total: number;
}
export interface TokenIdentity {
  user: { id: number; username: string; role: 'admin' | 'reseller' };
  token: { id: number; name: string; purpose: string; preset: string; abilities: readonly (Ability | '*')[] };
  allowedIps: readonly string[];
}
type Loose<T> = { [K in keyof T]?: T[K] | undefined };
export interface Services {
  authenticateToken(db: ServiceContext['db'], plain: string): Promise<TokenIdentity | null>;
  createAccount(
    ctx: ServiceContext,
    input: {
      username: string;
      name: string;
      email: string;
      password: string;
      package_id: number | null;
      terminal_access?: boolean | undefined;
    } & Loose<AccountLimits>,
  ): Promise<Written<AccountView>>;
  listAccounts(
    ctx: ServiceContext,
    input: { username?: string | undefined; page: number; per_page: number },
  ): Promise<Page<View<'listAccounts'>['data'][number]>>;
  checkUsername(ctx: ServiceContext, input: { username: string }): Promise<View<'checkUsername'>['data']>;
  getAccount(
    ctx: ServiceContext,
    input: { account_id: number; include: ReadonlySet<AccountInclude> },
  ): Promise<AccountView>;
  suspendAccount(ctx: ServiceContext, input: { account_id: number }): Promise<Written<AccountView>>;
  unsuspendAccount(ctx: ServiceContext, input: { account_id: number }): Promise<Written<AccountView>>;
  setAccountPassword(
    ctx: ServiceContext,
    input: { account_id: number; password: string },
  ): Promise<Written<AccountView>>;
  changeAccountPackage(
    ctx: ServiceContext,
    input: { account_id: number; package_id: number },
  ): Promise<Written<AccountView>>;
  setAccountResources(
    ctx: ServiceContext,
    input: { account_id: number; terminal_access: boolean } & Loose<AccountLimits>,
  ): Promise<Written<AccountView>>;
  terminateAccount(ctx: ServiceContext, input: { account_id: number }): Promise<Written<object>>;
  failCreate(ctx: ServiceContext, input: { account_id: number; reason: string }): Promise<void>;
  listDomains(
    ctx: ServiceContext,
    input: { hosting_account_id?: number | undefined; page: number; per_page: number },
  ): Promise<Page<View<'listDomains'>['data'][number]>>;
  createDomain(
    ctx: ServiceContext,
    input: {
      hosting_account_id: number;
      domain_name: string;
      is_primary?: boolean | undefined;
      allow_overlap?: boolean | undefined;
    },
  ): Promise<Written<DomainView>>;
  getDomain(ctx: ServiceContext, input: { domain_id: number }): Promise<DomainView>;
  removeDomain(ctx: ServiceContext, input: { domain_id: number }): Promise<Written<object>>;
  listPackages(ctx: ServiceContext): Promise<View<'listPackages'>['data']>;
  getPackage(ctx: ServiceContext, input: { package_id: number }): Promise<View<'getPackage'>['data']>;
}
