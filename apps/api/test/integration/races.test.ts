import type { EndpointName } from '@innkeeper/contract';
import { setPool } from '@innkeeper/services';
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from '../ask.ts';
import { type Instance, useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let instances: Pick<Instance, 'ask'>[];
beforeAll(async () => {
  instances = [rig, await rig.addInstance()];
});

const RUNNERS = 32;

/** Sends 32 requests at the same time, alternately to two instances. */
async function race(
  name: EndpointName,
  body: (runner: number) => object,
  token = rig.adminToken,
): Promise<Reply[]> {
  const asking = Array.from({ length: RUNNERS }, (_, runner) =>
    instances[runner % instances.length]!.ask(name, { body: body(runner), token }),
  );
  return await Promise.all(asking);
}

function expectOneWinner(replies: Reply[], refusal: unknown): void {
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = replies.filter(({ status }) => status !== 201);
  for (const { status, body } of refused) expect([status, body]).toEqual([422, refusal]);
}

/** Creates an account with the small package: room for two domains, one database, one app and one cron job. */
async function newAccount(): Promise<number> {
  return (await rig.createAccount({ package_id: rig.packages.small })).id;
}

it('one of 32 requests gets the last domain of an account', async () => {
  const hosting_account_id = await newAccount();
  const domain = (name: string) => ({ hosting_account_id, domain_name: `${name}.race.example.com` });
  await rig.ask('createDomain', { body: domain('first') });
  const replies = await race('createDomain', (runner) => domain(`runner${runner}`));
  expectOneWinner(replies, { error: 'Domain limit reached (2).' });
});

it('one of 32 requests gets a domain name that many accounts want', async () => {
  // Only eight: hashing the password of one more account takes longer than everything else here.
  const accounts = await Promise.all(Array.from({ length: 8 }, newAccount));
  const replies = await race('createDomain', (runner) => ({
    hosting_account_id: accounts[runner % accounts.length],
    domain_name: 'wanted.example.com',
  }));
  const sentence = 'The domain name has already been taken.';
  expectOneWinner(replies, { message: sentence, errors: { domain_name: [sentence] } });
});

it('one of 32 requests gets the last database of an account', async () => {
  const hosting_account_id = await newAccount();
  const replies = await race('createDatabase', () => ({ hosting_account_id }));
  expectOneWinner(replies, { error: 'Database limit reached (1).' });
});

it('one of 32 requests gets the last app of an account', async () => {
  const hosting_account_id = await newAccount();
  const app = { hosting_account_id, template_key: 'nodejs', name: 'racer', start_command: 'node server.js' };
  expectOneWinner(await race('createApp', () => app), { error: 'App limit reached (1).' });
});

it('one of 32 requests gets the last cron job of an account', async () => {
  const hosting_account_id = await newAccount();
  const job = { hosting_account_id, schedule: '* * * * *', command: 'php tick.php' };
  expectOneWinner(await race('createCronJob', () => job), { error: 'Cron job limit reached (1).' });
});

it('one of 32 requests gets a username', async () => {
  const body = rig.accountFields();
  const replies = await race('createAccount', () => body);
  const sentence = 'The username has already been taken.';
  expectOneWinner(replies, { message: sentence, errors: { username: [sentence] } });
});

it('one of 32 requests gets the last unit of a reseller’s pool', async () => {
  await rig.createAccount({ package_id: rig.packages.small }, rig.resellerToken);
  // The package allows 50 processes: 100 leave room for one more account.
  await setPool(rig.operator, { reseller: 'acme', max_processes: 100 });
  const replies = await race('createAccount', () => rig.accountFields(), rig.resellerToken);
  expectOneWinner(replies, {
    message: expect.any(String),
    errors: { max_processes: [expect.any(String)] },
  });
  const pooled = rig.db.selectFrom('accounts').select('max_processes');
  const rows = await pooled.where('reseller_user_id', '=', rig.resellerId).execute();
  expect(rows).toEqual([{ max_processes: 50 }, { max_processes: 50 }]);
});
