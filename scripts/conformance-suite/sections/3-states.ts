import { clause, expectThat, section } from '../clause.ts';
import {
  appCreated,
  appSettled,
  databaseCreated,
  mainCreated,
  packagedId,
  smallestCreated,
} from '../fixtures.ts';
import { skip } from '../outcome.ts';
import { APP_STATUSES } from '../resource-shapes.ts';

/** Possible statuses of an app when a clause reads it. */
const AFTER_INSTALL = APP_STATUSES.filter((status) => status !== 'removing' && status !== 'stopped');

export const states = section(
  '3',
  'States and transitions',
  clause('Account: POST /accounts answers with status active', async (world) => {
    (await mainCreated(world)).expectAt('data.status', 'active');
  }),
  clause('Account: POST /accounts creates a panel login for the end user', async (world) => {
    const answer = await world.api.post(`/accounts/${(await mainCreated(world)).id()}/login-link`);
    answer.expect(200).expectAt('data.user_username', world.username('main'));
  }),
  clause('Account: suspend changes the status from active to suspended', async (world) => {
    const id = await packagedId(world);
    (await world.api.patch(`/accounts/${id}/suspend`)).expect(200).expectAt('data.status', 'suspended');
    (await world.api.get(`/accounts/${id}`)).expect(200).expectAt('data.status', 'suspended');
  }),
  clause('Account: GET /accounts shows a suspended account as suspended', async (world) => {
    const answer = await world.api.get(`/accounts?username=${world.username('pack')}`);
    answer.expect(200).expectAt('data.0.status', 'suspended');
  }),
  clause('Account: the user of a suspended account cannot sign in to the panel', async (world) => {
    (await world.api.post(`/accounts/${await packagedId(world)}/login-link`)).expect(403, 404);
  }),
  clause('Account: unsuspend changes the status from suspended to active', async (world) => {
    const id = await packagedId(world);
    (await world.api.patch(`/accounts/${id}/unsuspend`)).expect(200).expectAt('data.status', 'active');
    (await world.api.get(`/accounts/${id}`)).expect(200).expectAt('data.status', 'active');
  }),
  clause('Account: DELETE queues the termination, and GET answers 404 when it is complete', async (world) => {
    const id = (await smallestCreated(world)).id();
    (await world.api.delete(`/accounts/${id}`)).expect(200).expectAt('message', 'Termination queued');
    const answer = await world.poll(
      () => world.api.get(`/accounts/${id}`),
      ({ status }) => status === 404,
    );
    answer.expect(404);
    world.accounts.forget(world.username('min'));
  }),
  clause('App: POST /apps answers with status installing', async (world) => {
    (await appCreated(world)).expectAt('data.status', 'installing');
  }),
  clause('App: while a client polls, status is one of the ten values', async (world) => {
    const answer = await appSettled(world);
    answer.expect(200).expectOneOf('data.status', AFTER_INSTALL);
  }),
  clause('Database: POST /databases answers with status pending', async (world) => {
    (await databaseCreated(world)).expectAt('data.status', 'pending');
  }),
  clause('Database: status becomes active when provisioning is complete', async (world) => {
    const id = (await databaseCreated(world)).id();
    const answer = await world.poll(
      () => world.api.get(`/databases/${id}`),
      (latest) => latest.at('data.status') !== 'pending',
    );
    if (answer.at('data.status') === 'pending')
      skip(`still pending after ${world.options.settleMs / 1_000} s`);
    answer.expect(200).expectAt('data.status', 'active');
  }),
  clause('Database: PATCH /databases/{id}/password answers with status active', async (world) => {
    const id = (await databaseCreated(world)).id();
    const answer = (await world.api.patch(`/databases/${id}/password`)).expect(200);
    answer.expectAt('data.status', 'active').expectAt('data.id', id);
  }),
  clause('Domain: GET /domains lists a new domain of its account', async (world) => {
    const id = (await mainCreated(world)).id();
    const answer = (await world.api.get(`/domains?hosting_account_id=${id}`)).expect(200);
    expectThat(Array.isArray(answer.at('data')), 'a list', answer.excerpt());
  }),
);
