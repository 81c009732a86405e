import { type AccountSpec, plainSite } from '@innkeeper/protocol';
import { type Box, type Pebble, startPebble, testInstallation, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { crashSteps } from './crash-steps.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';
import { TlsVisitors, visitOverTls } from './tls-visits.ts';

/** Certificates from a real authority, as visitors see them. */
const LIFETIME_S = 60;
const ELSEWHERE = '198.51.100.9';
const CHALLENGES = '/var/lib/innkeeper/acme/.well-known/acme-challenge';
const FILES = '/etc/innkeeper/certificates';
const STATE = '/var/lib/innkeeper/agent/certificates';

let server: AgentBox;
let box: Box;
let pebble: Pebble;
/** No process listens on this address. */
let deadAddress: string;

const certified = (id: number, name: string, certificate_revision = 1) =>
  domainOf(id, name, { certificate_revision });

function account(id: number, linux_user: string, domains = [certified(id, `${linux_user}.example.com`)]) {
  return specOf({ account_id: id, uid: 20_000 + id, linux_user, domains });
}

let generation = 1;
function nextGeneration(): number {
  generation += 1;
  return generation;
}

async function settle(spec: AccountSpec, changes: Partial<AccountSpec> = {}): Promise<AccountSpec> {
  const next = { ...spec, ...changes, generation: nextGeneration() };
  expect(await server.settle(next)).toMatchObject({
    outcome: next.desired_state === 'absent' ? 'absent' : 'applied',
  });
  return next;
}

/** Returns the reported state of the first domain's certificate, once it is no longer pending. */
async function outcome(spec: AccountSpec) {
  return await waitUntil(
    `the certificate of ${spec.domains[0]!.name}`,
    () => {
      const report = server.controlPlane.reportOf(spec.account_id, spec.generation);
      const certificate = report?.domains[0]?.certificate;
      const revision = spec.domains[0]!.certificate_revision;
      return certificate?.status !== 'pending' && certificate?.revision === revision && certificate;
    },
    { timeoutMs: 60_000 },
  );
}

const revised = (spec: AccountSpec, certificate_revision: number) => ({
  domains: spec.domains.map((domain) => ({ ...domain, certificate_revision })),
});

/** Points the names to the box, for the box and for the authority. */
async function leadHere(...names: string[]): Promise<void> {
  for (const name of names)
    for (const where of [pebble.names, pebble.ownNames]) await where.set(name, [box.address]);
}

/** Returns whether the authority was ever asked about a name. */
const wasAskedFor = async (name: string) => (await pebble.log()).includes(name);
const list = async (folder: string) => (await box.require(['ls', folder])).split('\n').filter(Boolean);
const filesOf = async ({ uid }: AccountSpec) =>
  (await list(FILES)).filter((name) => name.startsWith(`${uid}-`));
const recordOf = async ({ uid, domains }: AccountSpec) =>
  JSON.parse(await box.readFile(`${STATE}/${uid}-${domains[0]!.domain_id}.json`));
const overTls = (name: string, path?: string) => visitOverTls(box.address, name, pebble.rootPem, path);

let alice = account(1, 'alice');
let bob = account(2, 'bob');

beforeAll(async () => {
  server = await startAgentBox('certificates');
  box = server.box;
  const { state, boxes } = await testInstallation();
  const { hostAddress } = boxes.network;
  deadAddress = hostAddress.replace(/\d+$/, '250');
  pebble = await startPebble(state, { network: boxes.network, lifetimeSeconds: LIFETIME_S });
  await box.writeFile('/etc/resolv.conf', `nameserver ${pebble.address}\n`);
  await box.writeFile('/etc/innkeeper/acme-ca.pem', pebble.caPem);
  await server.configure({
    INNKEEPER_ACME_DIRECTORY: pebble.directoryUrl,
    INNKEEPER_ACME_CA_FILE: '/etc/innkeeper/acme-ca.pem',
    INNKEEPER_ACME_ORDERS_OF_NAME_A_DAY: '100',
  });
});

afterAll(async () => {
  await pebble.stop();
  await server.remove();
});

// First, because no renewals of other certificates count among the changes then.
describe('an agent that is killed', () => {
  test('gets exactly one certificate, whichever step of an order it is killed at', async () => {
    let frank = account(6, 'frank');
    await leadHere('frank.example.com', 'www.frank.example.com');
    frank = await settle(frank, revised(frank, 0));
    const { first, every } = crashSteps();
    let last = 0;
    for (let crashAfter = first; ; crashAfter += every) {
      await box.require(['systemctl', 'reset-failed', 'innkeeper-agent']);
      await box.writeFile('/run/innkeeper/crash-after', String(crashAfter));
      await box.require(['systemctl', 'restart', 'innkeeper-agent']);
      const restarts = await server.restarts();
      frank = { ...frank, ...revised(frank, crashAfter), generation: nextGeneration() };
      server.controlPlane.want(frank);
      expect(await outcome(frank)).toMatchObject({ status: 'active', error: '' });
      await waitUntil('the files of the one before to go', async () => (await filesOf(frank)).length === 2);
      const { held, order, begun } = await recordOf(frank);
      expect({ held: held.length, order, begun }).toEqual({ held: 1, order: null, begun: 0 });
      expect(await list(CHALLENGES)).toEqual([]);
      if ((await server.restarts()) === restarts) break;
      last = crashAfter;
    }
    console.log(`killed after every ${every}. change of an order, from ${first} to ${last}`);
    expect(last + every).toBeGreaterThan(16);
    await settle(frank, { desired_state: 'absent' });
  }, 300_000);
});

describe('a certificate', () => {
  test('is issued, served for its name (SNI), and trusted by clients of the authority', async () => {
    await leadHere('alice.example.com', 'www.alice.example.com', 'bob.example.com');
    alice = await settle(alice, revised(alice, 0));
    expect((await visit(box.address, 'alice.example.com')).status).toBe(200);
    await expect(overTls('alice.example.com')).rejects.toThrow();

    [alice, bob] = await Promise.all([settle(alice, revised(alice, 1)), settle(bob)]);
    for (const spec of [alice, bob]) {
      const { status, issuer, expires_at } = await outcome(spec);
      expect({ status, issuer }).toEqual({ status: 'active', issuer: expect.stringContaining('Pebble') });
      expect(Number(expires_at) * 1_000).toBeGreaterThan(Date.now());
    }
    const shown = await Promise.all(
      ['alice.example.com', 'www.alice.example.com', 'bob.example.com'].map((name) => overTls(name)),
    );
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(shown[0]!.fingerprint).toBe(shown[1]!.fingerprint);
    expect(shown[0]!.fingerprint).not.toBe(shown[2]!.fingerprint);
    // www.bob has no address here: bob's certificate is only for the bare name.
    await expect(overTls('www.bob.example.com')).rejects.toThrow();
  });

  test('redirects visitors to HTTPS, except ACME challenges and sites without a certificate', async () => {
    const path = '/.well-known/acme-challenge/none';
    expect((await visit(box.address, 'alice.example.com', '/a?b=c')).status).toBe(301);
    expect((await visit(box.address, 'alice.example.com', path)).status).toBe(404);
    expect((await visit(box.address, 'www.bob.example.com')).status).toBe(200);
  });

  test('also serves HTTP when its redirect to HTTPS is off, with the same certificate', async () => {
    const before = await filesOf(alice);
    const domains = alice.domains.map((domain) => ({ ...domain, site: { ...plainSite, keeps_http: true } }));
    const wanted = alice.domains;
    alice = await settle(alice, { domains });
    expect((await visit(box.address, 'alice.example.com', '/a')).status).not.toBe(301);
    expect((await overTls('www.alice.example.com')).status).toBe(200);
    alice = await settle(alice, { domains: wanted });
    expect((await visit(box.address, 'alice.example.com', '/a')).status).toBe(301);
    expect(await filesOf(alice)).toEqual(before);
  });

  test('has a private key that no account can read, and leaves no challenge files', async () => {
    const files = await filesOf(alice);
    expect(files.map((name) => name.slice(-4)).sort()).toEqual(['.key', '.pem']);
    for (const file of files) {
      const access = await box.require(['stat', '-c', '%a %U:%G', `${FILES}/${file}`]);
      expect(access.trim()).toBe(file.endsWith('.key') ? '640 root:www-data' : '644 root:root');
    }
    for (const spec of [alice, bob])
      for (const path of [`${FILES}/${files.find((name) => name.endsWith('.key'))}`, `${STATE}/*`])
        await expect(asAccount(box, spec, `cat ${path}`)).rejects.toThrow('ermission denied');
    expect(await box.require(['sh', '-c', `stat -c %a /var/lib/innkeeper/agent/acme/* ${STATE}/*`])).toMatch(
      /^(?:600\n)+$/,
    );
    expect(await list(CHALLENGES)).toEqual([]);
  });
});

describe('a domain name', () => {
  test('that resolves to another server fails before the authority is contacted, and is retried at once on request', async () => {
    let carol = account(3, 'carol');
    await pebble.names.set('carol.example.com', [ELSEWHERE]);
    carol = await settle(carol);
    expect(await outcome(carol)).toMatchObject({
      status: 'failed',
      expires_at: '0',
      error: `carol.example.com has the address ${ELSEWHERE}; it should have ${box.address}.`,
    });
    await pebble.names.set('carol.example.com', []);
    carol = await settle(carol, revised(carol, 2));
    expect((await outcome(carol)).error).toBe(
      `carol.example.com has no address; it should have ${box.address}.`,
    );
    expect(await wasAskedFor('carol.example.com')).toBe(false);
    await leadHere('carol.example.com');
    carol = await settle(carol, revised(carol, 3));
    expect(await outcome(carol)).toMatchObject({ status: 'active', error: '' });
    expect((await overTls('carol.example.com')).status).toBe(200);
  });

  test('that the authority cannot reach is reported in its words, and retried after a delay', async () => {
    let dave = account(4, 'dave');
    await leadHere('dave.example.com');
    await pebble.ownNames.set('dave.example.com', [deadAddress]);
    dave = await settle(dave);
    const failed = await outcome(dave);
    expect(failed).toMatchObject({ status: 'failed', expires_at: '0' });
    expect(failed.error).toContain(`dial tcp ${deadAddress}:80`);
    const { failure, order } = await recordOf(dave);
    expect(order).toBeNull();
    expect(failure).toMatchObject({ in_a_row: 1, must_wait: false, revision: 1 });
    expect(failure.retry_at - Date.now()).toBeGreaterThan(180_000);
    // The site is still served, without a redirect.
    expect((await visit(box.address, 'dave.example.com')).status).toBe(200);
    await box.require(['systemctl', 'restart', 'innkeeper-agent']);
    await leadHere('dave.example.com');
    expect((await recordOf(dave)).failure).toEqual(failure);
    dave = await settle(dave, revised(dave, 2));
    expect(await outcome(dave)).toMatchObject({ status: 'active', error: '' });

    // After a failure, the current certificate stays in use.
    const before = await overTls('dave.example.com');
    await pebble.names.set('dave.example.com', [ELSEWHERE]);
    dave = await settle(dave, revised(dave, 3));
    const kept = await outcome(dave);
    expect(kept).toMatchObject({ status: 'failed', error: expect.stringContaining(ELSEWHERE) });
    expect(Number(kept.expires_at)).toBeGreaterThan(0);
    expect((await overTls('dave.example.com')).fingerprint).toBe(before.fingerprint);
  });
});

describe('a renewal', () => {
  test('interrupts no visitor: the previous certificate serves until the new one does', {
    timeout: 300_000,
  }, async () => {
    await leadHere('erin.example.com');
    const erin = await settle(account(5, 'erin'));
    expect(await outcome(erin)).toMatchObject({ status: 'active', error: '' });
    const visitors = new TlsVisitors(box.address, 'erin.example.com', pebble.rootPem);
    await waitUntil('visitors to see two certificates', () => visitors.seen.size >= 3, {
      timeoutMs: 4 * LIFETIME_S * 1_000,
      everyMs: 250,
    });
    await visitors.end();
    expect(visitors.wrong).toEqual([]);
    await waitUntil('the files of the one before to go', async () => (await filesOf(erin)).length === 2);
    // No renewal of it may be under way when the last test looks for left challenges.
    await settle(erin, { desired_state: 'absent' });
  });
});

describe('an account', () => {
  test('that is suspended shows the suspended page over TLS, and orders nothing', async () => {
    alice = await settle(alice, { desired_state: 'suspended' });
    expect((await overTls('alice.example.com')).status).toBe(503);
    const report = server.controlPlane.reportOf(alice.account_id, alice.generation);
    expect(report?.domains[0]?.certificate).toMatchObject({ status: 'active', error: '' });
    let grace = account(7, 'grace');
    await leadHere('grace.example.com');
    grace = await settle(grace, { desired_state: 'suspended' });
    expect(await wasAskedFor('grace.example.com')).toBe(false);
    grace = await settle(grace, { desired_state: 'active' });
    expect(await outcome(grace)).toMatchObject({ status: 'active', error: '' });
    await settle(grace, { desired_state: 'absent' });
    alice = await settle(alice, { desired_state: 'active' });
  });

  test('leaves no certificates when it loses a domain or is removed', async () => {
    const gone = revised(bob, 1).domains.map((domain) => ({ ...domain, desired_state: 'absent' as const }));
    bob = await settle(bob, { domains: gone });
    expect(await filesOf(bob)).toEqual([]);
    await settle(bob, { desired_state: 'absent' });
    await settle(alice, { desired_state: 'absent' });
    for (const spec of [alice, bob]) {
      expect(await findRemains(box, spec, [spec.domains[0]!.name])).toEqual([]);
      expect((await list(STATE)).filter((name) => name.startsWith(`${spec.uid}-`))).toEqual([]);
    }
    expect(await list(CHALLENGES)).toEqual([]);
  });
});
