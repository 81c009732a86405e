import {
  type AskNode,
  createApp,
  type EndUser,
  type OperatorContext,
  readAppLog,
  type ServiceContext,
} from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, fresh, open, rowOf } from './fixtures.ts';
import { insertDomainRecord, refusalOf } from './records.ts';

const rig = useDatabaseRig();
const { admin } = rig;

async function newApp(ctx: OperatorContext, package_id = rig.packageId, more: object = {}) {
  const account_id = (await open(ctx, { package_id })).accountId;
  const domain_id = await insertDomainRecord(rig.db, {
    account_id,
    domain_name: `${fresh('shop')}.example.com`,
  });
  const app = { template_key: 'nodejs', name: 'Shop', env: new Map(), ...more };
  const { view } = await createApp(admin(), { hosting_account_id: account_id, domain_id, ...app });
  return { account_id, app_id: view.id };
}

/** Returns the same actor, with the questions to its nodes and their answers. */
function hearing(ctx: ServiceContext, lines: string[] | undefined) {
  const questions: unknown[] = [];
  const askNode: AskNode = async (nodeId, verb, question) => {
    questions.push({ nodeId, verb, question });
    return (lines && { lines }) as never;
  };
  return { ctx: { ...ctx, askNode }, questions };
}

test('the node of the app is asked, and its newest lines are given', async () => {
  const app = await newApp(admin());
  const { ctx, questions } = hearing(admin(), ['one', 'two', 'three']);
  expect(await readAppLog(ctx, { app_id: app.app_id, lines: 2 })).toEqual(['two', 'three']);
  const { node_id: nodeId } = await rowOf(rig.db, app.account_id);
  expect(questions).toEqual([{ nodeId, verb: 'app-log', question: { ...app, lines: 2 } }]);
});

test('the customer reads the logs of its own account, and no others', async () => {
  const [own, other] = [await newApp(admin()), await newApp(admin())];
  const customer: EndUser = {
    userId: 1,
    role: 'user',
    accountId: own.account_id,
    tokenId: null,
    address: '127.0.0.1',
  };
  const { ctx, questions } = hearing({ ...admin(), actor: customer }, ['hello']);
  expect(await readAppLog(ctx, { app_id: own.app_id, lines: 10 })).toEqual(['hello']);
  expect(await refusalOf(readAppLog(ctx, { app_id: other.app_id, lines: 10 }))).toMatchObject({
    code: 'not_found',
  });
  expect(questions).toHaveLength(1);
});

test('a line acts on no terminal, whatever the node says', async () => {
  const { app_id } = await newApp(admin());
  const { ctx } = hearing(admin(), ['\u001b[2Jgone\u009b1m\r\na\tb']);
  expect(await readAppLog(ctx, { app_id, lines: 10 })).toEqual(['?[2Jgone?1m??a\tb']);
});

test('a program that has said nothing is no error, a node that is away is', async () => {
  const { app_id } = await newApp(admin());
  expect(await readAppLog(hearing(admin(), []).ctx, { app_id, lines: 10 })).toEqual([]);
  const away = await refusalOf(readAppLog(hearing(admin(), undefined).ctx, { app_id, lines: 10 }));
  expect(away).toMatchObject({
    code: 'unavailable',
    message: `The hosting server of app ${app_id} does not answer now. Try again in a minute.`,
  });
});

test('an app that is not visible, or has no program, is never asked for', async () => {
  const [own, other] = [await addReseller(rig.db), await addReseller(rig.db)];
  const ownPackage = await addPackage(rig.db, { resellers: [own.username] });
  const { app_id } = await newApp(own, ownPackage);
  expect(await readAppLog(hearing(own, ['hello']).ctx, { app_id, lines: 10 })).toEqual(['hello']);
  const stranger = hearing(other, ['hello']);
  expect(await refusalOf(readAppLog(stranger.ctx, { app_id, lines: 10 }))).toMatchObject({
    code: 'not_found',
  });
  const files = await newApp(own, ownPackage, { template_key: 'static' });
  const served = hearing(own, ['hello']);
  expect(await refusalOf(readAppLog(served.ctx, { app_id: files.app_id, lines: 10 }))).toMatchObject({
    code: 'precondition_failed',
    message: `App ${files.app_id} runs no program of its own: it has no log.`,
  });
  expect([...stranger.questions, ...served.questions]).toEqual([]);
});
