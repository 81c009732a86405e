import { Agent } from 'node:http';
import { RATE_LIMIT_MAX } from '@innkeeper/db';
import { waitUntil } from '@innkeeper/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FuzzRequest, fuzzRequest } from '../fuzz/fuzz-request.ts';
import { faultOf } from '../fuzz/judge.ts';
import { type Population, populate } from '../fuzz/records.ts';
import { render } from '../fuzz/render.ts';
import { send } from '../fuzz/send.ts';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

const requests = Number(process.env.INNKEEPER_FUZZ_REQUESTS ?? 2_000);
const seed = Number(process.env.INNKEEPER_FUZZ_SEED ?? Date.now() % 2 ** 31);
/** Records are added before each batch. */
const BATCH = 250;
const AT_ONCE = 16;
const DEADLINE_MS = 20_000;

let rig: ControlPlaneRig;
let population: Population;
/** The faults, each with the request or the log line that showed it first. */
const faults = new Map<string, string>();
const note = (fault: string, where: string) => faults.set(fault, faults.get(fault) ?? where);

beforeAll(async () => {
  const write = (line: string) => {
    const { err, route } = JSON.parse(line) as { err?: Error; route?: string };
    note(`The log has an error: ${err?.message}`, `${route} ${err?.stack}`);
  };
  const rateLimits = { user: RATE_LIMIT_MAX, health: RATE_LIMIT_MAX, sso: RATE_LIMIT_MAX };
  rig = await startControlPlaneRig({ logLevel: 'error', rateLimits }, { write });
  population = await populate(rig);
});
afterAll(() => rig?.stop());

it(
  'any request gets an answer in time that matches the contract and is not a 500',
  async () => {
    const statuses = new Map<number, number>();
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const ask = async (request: FuzzRequest, number: number) => {
      const wire = render(request, population);
      const options = { agent, deadlineMs: DEADLINE_MS };
      const reply = await send(rig.origin, wire, options).catch((error: Error) => error);
      if (reply === undefined) return;
      if (!(reply instanceof Error)) statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const fault = reply instanceof Error ? `No answer: ${reply.message}` : faultOf(wire, reply);
      if (fault === undefined) return;
      const shown = { number, ...wire, body: wire.body?.toString().slice(0, 2_000) };
      note(fault, JSON.stringify(shown).slice(0, 4_000));
    };

    console.log(`fuzz: ${requests} requests from seed ${seed}`);
    for (let sent = 0; sent < requests; sent += BATCH) {
      await population.refresh();
      const numRuns = Math.min(BATCH, requests - sent);
      const batch = fc.sample(fuzzRequest, { seed: seed + sent, numRuns }).entries();
      const worker = async () => {
        for (const [index, request] of batch) {
          const times = request.manner === 'doubled' ? 2 : 1;
          await Promise.all(Array.from({ length: times }, () => ask(request, sent + index)));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    }
    agent.destroy();
    console.log(`fuzz: statuses ${JSON.stringify(Object.fromEntries(statuses))}`);
    const shown = [...faults].map(([fault, where]) => `${fault}\n  ${where}`);
    expect(shown, `seed ${seed}`).toEqual([]);
  },
  requests * 50 + 60_000,
);

it('the judge finds wrong answers', async () => {
  const plain = { method: 'GET', headers: {}, body: undefined, isAborted: false };
  const request = { ...plain, path: '/api/v1/packages/1' };
  const options = { agent: new Agent(), deadlineMs: DEADLINE_MS };
  const good = await send(rig.origin, request, options);
  if (good === undefined) throw new Error('It was aborted.');
  expect([good.status, faultOf(request, good)]).toEqual([401, undefined]);
  const bad = [
    { ...good, status: 500 },
    { ...good, status: 200 },
    { ...good, status: 418 },
    { ...good, text: '' },
    { ...good, text: '<html>' },
    { ...good, text: '{"message":"Unauthenticated.","more":1}' },
    { ...good, text: '{"message":"at parse (/srv/a.ts:1:2)"}' },
    { ...good, headers: { ...good.headers, 'content-type': 'text/html' } },
    { ...good, headers: { ...good.headers, 'x-request-id': undefined } },
    { ...good, headers: { ...good.headers, 'www-authenticate': undefined } },
  ];
  for (const reply of bad) expect(faultOf(request, reply), JSON.stringify(reply)).toBeTypeOf('string');
  const unknown = { ...request, path: '/api/v1/nothing' };
  expect(faultOf(unknown, good)).toBeTypeOf('string');
});

it('the node has applied the newest state of every account', async () => {
  const isSynced = async (id: number) => {
    const { status, body } = await rig.ask('getAccount', { id });
    return status === 404 || body.data.synced;
  };
  const { body } = await rig.ask('listAccounts');
  for (let page = 1; page <= body.last_page; page += 1) {
    const { data } = (await rig.ask('listAccounts', { query: `page=${page}` })).body;
    for (const { id } of data) await waitUntil(`account ${id} is synced`, () => isSynced(id));
  }
});
