import { expect, test } from 'vitest';
import { specOf } from '../../../test/specs.ts';
import { certificatesDriver } from './certificates-driver.ts';
import type { DomainCertificates, HeldCertificate } from './host.ts';

const NOW = 1_000_000;

const wanting = (certificate_revision: number, changes = {}) =>
  specOf({
    domains: [{ ...specOf({}).domains[0]!, certificate_revision }],
    ...changes,
  });

function held(changes: Partial<HeldCertificate> = {}): HeldCertificate {
  return {
    key: '20000-1-a',
    revision: 1,
    issuer: 'Some Authority',
    expiresAt: NOW + 90_000,
    renewAt: NOW + 60_000,
    stage: 'served',
    filesRight: true,
    lost: false,
    ...changes,
  };
}

function known(changes: Partial<DomainCertificates> = {}): DomainCertificates {
  return {
    domainId: 1,
    name: 'demo.example.com',
    held: [],
    ordering: false,
    failure: undefined,
    orderableAt: () => 0,
    ...changes,
  };
}

const observed = (domain: DomainCertificates | undefined, published: string[] = []) => ({
  domains: domain === undefined ? [] : [domain],
  published: new Set(published),
  now: NOW,
});
const plan = (spec: ReturnType<typeof specOf>, domain?: DomainCertificates, published?: string[]) =>
  certificatesDriver.plan(spec, observed(domain, published)).map(({ kind }) => kind);
const status = (spec: ReturnType<typeof specOf>, domain?: DomainCertificates) =>
  certificatesDriver.statuses!(spec, observed(domain)).certificates?.get(1);

test('orders a certificate that is wanted, due and not being ordered', () => {
  expect(plan(wanting(0))).toEqual([]);
  expect(plan(wanting(1))).toEqual(['order']);
  expect(plan(wanting(1), known({ ordering: true }))).toEqual([]);
  expect(plan(wanting(1), known({ orderableAt: () => NOW + 1 }))).toEqual([]);
  expect(plan(wanting(1), known({ held: [held()] }))).toEqual([]);
  expect(plan(wanting(2), known({ held: [held()] }))).toEqual(['order']);
  expect(plan(wanting(1), known({ held: [held({ renewAt: NOW })] }))).toEqual(['order']);
  expect(plan(wanting(1), known({ held: [held({ filesRight: false, lost: true })] }))).toEqual([
    'discard',
    'order',
  ]);
});

test('a suspended account orders nothing and keeps its certificates; an absent one keeps none', () => {
  const suspended = wanting(2, { desired_state: 'suspended' });
  expect(plan(suspended)).toEqual([]);
  expect(plan(suspended, known({ held: [held()] }))).toEqual([]);
  expect(plan(suspended, known({ held: [held()], ordering: true }))).toEqual(['stop-order']);
  expect(plan(wanting(1, { desired_state: 'absent' }), known({ held: [held()] }))).toEqual(['forget']);
});

test('forgets certificates of removed and renamed domains', () => {
  expect(plan(wanting(0), known({ held: [held()] }))).toEqual(['forget']);
  expect(plan(wanting(1), known({ name: 'was.example.com', held: [held()] }))).toEqual(['forget', 'order']);
});

test('places files before nginx uses them, and removes the previous ones after its reload', () => {
  const issued = known({ held: [held(), held({ key: '20000-1-b', stage: 'issued' })] });
  const placed = known({ held: [held(), held({ key: '20000-1-b', stage: 'placed' })] });
  expect(plan(wanting(1), issued)).toEqual(['place']);
  expect(plan(wanting(1), placed, ['20000-1-a'])).toEqual([]);
  expect(certificatesDriver.observeAgainMs!(wanting(1), observed(placed, ['20000-1-a']))).toBe(1);
  expect(plan(wanting(1), placed, ['20000-1-b'])).toEqual(['retire-previous']);
});

test('the status belongs to the wanted revision, the expiry to the serving certificate', () => {
  const serves = { issuer: 'Some Authority', expires_at: Math.floor((NOW + 90_000) / 1_000) };
  const nothing = { issuer: '', expires_at: 0 };
  const failure = { revision: 1, error: 'their words', mustWait: false };
  expect(status(wanting(0))).toBeUndefined();
  expect(status(wanting(1))).toEqual({ status: 'pending', revision: 1, error: '', ...nothing });
  expect(status(wanting(1), known({ held: [held()] }))).toMatchObject({ status: 'active', ...serves });
  expect(status(wanting(2), known({ held: [held()] }))).toMatchObject({
    status: 'pending',
    revision: 2,
    ...serves,
  });
  expect(status(wanting(1), known({ held: [held({ stage: 'placed' })] }))).toMatchObject({
    status: 'pending',
    ...nothing,
  });
  const renewing = known({ held: [held(), held({ key: '20000-1-b', stage: 'placed' })] });
  expect(status(wanting(1), renewing)).toMatchObject({ status: 'active', ...serves });
  expect(status(wanting(1), known({ held: [held()], failure }))).toMatchObject({
    status: 'failed',
    error: 'their words',
    ...serves,
  });
  // A new revision was requested: the earlier failure does not count, unless the new one has to wait for it.
  expect(status(wanting(2), known({ failure }))).toMatchObject({ status: 'pending', error: '' });
  expect(status(wanting(2), known({ failure: { ...failure, mustWait: true } }))).toMatchObject({
    status: 'failed',
  });
});

test('a failed certificate has the time of the next attempt, in seconds; others have none', () => {
  const failure = { revision: 1, error: 'their words', mustWait: false };
  const failed = known({ failure, orderableAt: () => NOW + 5_500 });
  expect(status(wanting(1), failed)?.next_attempt_at).toBe(Math.ceil((NOW + 5_500) / 1_000));
  expect(status(wanting(1), known({ held: [held()] }))).not.toHaveProperty('next_attempt_at');
});

test('requests a pass when the next attempt is due', () => {
  const delay = (domain: DomainCertificates) =>
    certificatesDriver.observeAgainMs!(wanting(1), observed(domain));
  expect(delay(known({ orderableAt: () => NOW + 5_000 }))).toBe(5_000);
  expect(delay(known({ held: [held()] }))).toBe(60_000);
});
