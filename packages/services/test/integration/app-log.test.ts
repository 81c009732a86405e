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
import { addPackage, addReseller, open, rowOf } from './fixtures.ts';
import { fresh, insertDomainRecord } from './records.ts';
import { expectRefusal, failedPrecondition, refusalOf } from './refusals.ts';

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

test('the app’s node is asked, and the newest lines are returned', async () => {
  const app = await newApp(admin());
  const { ctx, questions } = hearing(admin(), ['one', 'two', 'three']);
  expect(await readAppLog(ctx, { app_id: app.app_id, lines: 2 })).toEqual(['two', 'three']);
  const { node_id: nodeId } = await rowOf(rig.db, app.account_id);
  expect(questions).toEqual([{ nodeId, verb: 'app-log', question: { ...app, lines: 2 } }]);
});

test('the log of a build is asked for by its own verb, also of an app without a program', async () => {
  const app = await newApp(admin(), rig.packageId, { template_key: 'static' });
  const { ctx, questions } = hearing(admin(), ['npm ci', 'added 3 packages']);
  const asked = { app_id: app.app_id, lines: 10 };
  expect(await readAppLog(ctx, { ...asked, log: 'build-log' })).toEqual(['npm ci', 'added 3 packages']);
  expect(questions).toMatchObject([{ verb: 'build-log', question: { ...app, lines: 10 } }]);
  await expectRefusal(readAppLog(ctx, asked), 'precondition_failed');
});

test('a customer reads the logs of its own account only', async () => {
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
  await expectRefusal(readAppLog(ctx, { app_id: other.app_id, lines: 10 }), 'not_found');
  expect(questions).toHaveLength(1);
});

test('control characters in a line are replaced', async () => {
  const { app_id } = await newApp(admin());
  const { ctx } = hearing(admin(), ['\u001b[2Jgone\u009b1m\r\na\tb']);
  expect(await readAppLog(ctx, { app_id, lines: 10 })).toEqual(['?[2Jgone?1m??a\tb']);
});

test('an empty log is no error; a node that does not answer is one', async () => {
  const { app_id } = await newApp(admin());
  expect(await readAppLog(hearing(admin(), []).ctx, { app_id, lines: 10 })).toEqual([]);
  const away = await refusalOf(readAppLog(hearing(admin(), undefined).ctx, { app_id, lines: 10 }));
  expect(away).toMatchObject({
    code: 'unavailable',
    message: `The hosting server of app ${app_id} does not answer now. Try again in a minute.`,
  });
});

test('the node is not asked for apps of others and for apps without a program', async () => {
  const [own, other] = [await addReseller(rig.db), await addReseller(rig.db)];
  const ownPackage = await addPackage(rig.db, { resellers: [own.username] });
  const { app_id } = await newApp(own, ownPackage);
  expect(await readAppLog(hearing(own, ['hello']).ctx, { app_id, lines: 10 })).toEqual(['hello']);
  const stranger = hearing(other, ['hello']);
  await expectRefusal(readAppLog(stranger.ctx, { app_id, lines: 10 }), 'not_found');
  const files = await newApp(own, ownPackage, { template_key: 'static' });
  const served = hearing(own, ['hello']);
  await expectRefusal(
    readAppLog(served.ctx, { app_id: files.app_id, lines: 10 }),
    failedPrecondition(`App ${files.app_id} runs no program of its own: it has no log.`),
  );
  expect([...stranger.questions, ...served.questions]).toEqual([]);
});
