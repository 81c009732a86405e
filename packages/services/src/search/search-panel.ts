import { isStaffRole } from '@innkeeper/domain';
import { searchAccounts } from '../accounts/search-accounts.ts';
import { listApps } from '../apps/list-apps.ts';
import type { EndUser, Operator, ServiceContext } from '../context.ts';
import { listDatabases } from '../databases/list-databases.ts';
import { listDomains } from '../domains/list-domains.ts';
import { listNodeNames } from '../nodes/list-node-names.ts';
import { listPackages } from '../packages/list-packages.ts';
import { listResellers } from '../resellers/list-resellers.ts';

/** A record that matches a search. */
export interface Found {
  kind: 'account' | 'app' | 'database' | 'node' | 'package' | 'reseller' | 'site';
  id: number;
  name: string;
  /** What else identifies the record: an account's primary domain. */
  note: string | null;
}

const OF_A_KIND = 8;
/** A customer's records of one kind that are looked at. */
const LOOKED_AT = 100;

/**
 * The records that the actor sees and whose name matches `text`, at most 8 of each kind. Operators find accounts (like
 * `searchAccounts`, so also by domain and email address), packages and, as staff, servers and resellers; customers find
 * their sites, apps and databases. Nothing for a text of less than 2 characters.
 */
export async function searchPanel(
  ctx: ServiceContext<Operator> | ServiceContext<EndUser>,
  { text }: { text: string },
): Promise<Found[]> {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < 2) return [];
  const kinds = isEndUser(ctx) ? await ofCustomer(ctx) : await ofOperator(ctx, wanted);
  return kinds.flatMap((found) => found.slice(0, OF_A_KIND));

  async function ofCustomer(own: ServiceContext<EndUser>): Promise<Found[][]> {
    const request = { hosting_account_id: own.actor.accountId, page: 1, per_page: LOOKED_AT };
    const [domains, apps, databases] = await Promise.all([
      listDomains(own, request),
      listApps(own, request),
      listDatabases(own, request),
    ]);
    return [
      named(domains.items, 'site', (domain) => domain.domain_name),
      named(apps.items, 'app', (app) => app.name),
      named(databases.items, 'database', (database) => database.db_name),
    ];
  }

  async function ofOperator(operator: ServiceContext<Operator>, text: string): Promise<Found[][]> {
    const isStaff = isStaffRole(operator.actor.role);
    const [accounts, nodes, packages, resellers] = await Promise.all([
      searchAccounts(operator, { text, at_most: OF_A_KIND, page: 1, per_page: OF_A_KIND }),
      isStaff ? listNodeNames(operator) : [],
      listPackages(operator),
      isStaff ? listResellers(operator) : [],
    ]);
    return [
      accounts.items.map(({ id, username, primary_domain }) => ({
        kind: 'account' as const,
        id,
        name: username,
        note: primary_domain,
      })),
      named(nodes, 'node', ({ name }) => name),
      named(packages, 'package', ({ name }) => name),
      named(resellers, 'reseller', ({ username }) => username),
    ];
  }

  function named<Item extends { id: number }>(
    items: readonly Item[],
    kind: Found['kind'],
    nameOf: (item: Item) => string,
  ): Found[] {
    return items
      .filter((item) => nameOf(item).toLowerCase().includes(wanted))
      .map((item) => ({ kind, id: item.id, name: nameOf(item), note: null }));
  }
}

function isEndUser(ctx: ServiceContext<Operator> | ServiceContext<EndUser>): ctx is ServiceContext<EndUser> {
  return ctx.actor.role === 'user';
}
