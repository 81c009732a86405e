import type { Answer } from './answer.ts';
import { type Clause, clause, expectThat } from './clause.ts';
import type { Client } from './client.ts';
import { expectMessage } from './errors.ts';
import { mainId, packagedId } from './fixtures.ts';
import type { World } from './world.ts';

/** Clauses that several kinds of records share. */

/** 404 for `NOBODYS_ID`. `what` has an article: `A domain`. */
export function notFound(what: string, ask: (api: Client) => Promise<Answer>): Clause {
  return clause(`${what} that does not exist: 404`, async ({ api }) => expectMessage(await ask(api), 404));
}

/** The list of an account has its records and no other. `created` answered the create of one of the main account's. */
export function filtersByAccount(path: string, created: (world: World) => Promise<Answer>): Clause {
  return clause('hosting_account_id filters the list by account', async (world) => {
    const id = (await created(world)).id();
    const isListed = async (accountId: number) => {
      const rows = (await world.api.get(`${path}?hosting_account_id=${accountId}`)).expect(200).items();
      const isOwn = rows.every((row) => row.hosting_account_id === accountId);
      expectThat(isOwn, `records of account ${accountId} alone`, rows);
      return rows.some((row) => row.id === id);
    };
    expectThat(await isListed(await mainId(world)), `${path}/${id} in the list of its account`, 'none');
    expectThat(!(await isListed(await packagedId(world))), 'no such record of another account', id);
  });
}
