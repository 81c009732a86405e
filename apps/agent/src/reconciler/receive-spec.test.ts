import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startRig } from '../../test/agent-rig.ts';
import { entriesIn } from '../../test/ledger-folder.ts';
import { specOf } from '../../test/specs.ts';

const valid = specOf({});
const withDomain = (changes: object) => ({
  domains: [
    { domain_id: 1, name: 'demo.example.com', is_primary: true, desired_state: 'active', ...changes },
  ],
});
const withLimit = (changes: object) => ({ limits: { ...valid.limits, ...changes } });

const hostile: [name: string, changes: object, field: string][] = [
  ['the uid of root', { uid: 0 }, 'uid'],
  ['the uid of a person', { uid: 1_000 }, 'uid'],
  ['the last uid below those of accounts', { uid: 19_999 }, 'uid'],
  ['the uid of nobody', { uid: 65_534 }, 'uid'],
  ['a dynamic uid of systemd', { uid: 61_200 }, 'uid'],
  ['a negative uid', { uid: -1 }, 'uid'],
  ['a uid that wraps around to root', { uid: 2 ** 32 }, 'uid'],
  ['a fraction for a uid', { uid: 20_000.5 }, 'uid'],
  ['a uid as a string', { uid: '20000' }, 'uid'],
  ['a path for a user', { linux_user: '../x' }, 'linux_user'],
  ['a user that reads as an option', { linux_user: '-rf' }, 'linux_user'],
  ['a user with a colon', { linux_user: 'demo:x' }, 'linux_user'],
  ['a user with a line of its own', { linux_user: 'demo\nroot2' }, 'linux_user'],
  ['a user that ends with a newline', { linux_user: 'demo\n' }, 'linux_user'],
  ['a user with NUL', { linux_user: 'demo\0' }, 'linux_user'],
  ['a user with capitals', { linux_user: 'Demo' }, 'linux_user'],
  ['an empty user', { linux_user: '' }, 'linux_user'],
  ['a user of 40 characters', { linux_user: 'a'.repeat(40) }, 'linux_user'],
  ['a domain with a newline', withDomain({ name: 'a.com\nroot' }), 'domains.0.name'],
  ['a domain that ends with a newline', withDomain({ name: 'a.com\n' }), 'domains.0.name'],
  ['a domain with a directive', withDomain({ name: 'a;b.com' }), 'domains.0.name'],
  ['a domain with a brace', withDomain({ name: 'a}.com' }), 'domains.0.name'],
  ['a domain with a space', withDomain({ name: 'a b.com' }), 'domains.0.name'],
  ['a wildcard', withDomain({ name: '*.example.com' }), 'domains.0.name'],
  ['a regular expression', withDomain({ name: '~^.*$' }), 'domains.0.name'],
  ['a path for a domain', withDomain({ name: '../../etc.com' }), 'domains.0.name'],
  ['a domain in Unicode', withDomain({ name: 'bücher.example.com' }), 'domains.0.name'],
  ['a domain of 300 characters', withDomain({ name: `${'a.'.repeat(148)}com` }), 'domains.0.name'],
  ['a state that there is not', { desired_state: 'root' }, 'desired_state'],
  ['a password hash with a colon', { password_hash: 'x:0:0' }, 'password_hash'],
  ['an empty password hash', { password_hash: '' }, 'password_hash'],
  ['a hash of an old kind', { password_hash: '$1$salt$qJH7.N4xYta3aEG/dfqo/0' }, 'password_hash'],
  ['limits beyond every number', withLimit({ ram_mb: Number.MAX_SAFE_INTEGER }), 'limits.ram_mb'],
  ['an infinite limit', withLimit({ cpu_percent: Number.POSITIVE_INFINITY }), 'limits.cpu_percent'],
  ['a limit that is not a number', withLimit({ disk_mb: Number.NaN }), 'limits.disk_mb'],
  ['a limit of nothing', withLimit({ max_processes: 0 }), 'limits.max_processes'],
  [
    'a limit with a unit to inject',
    withLimit({ cpu_percent: '100% MemoryMax=infinity' }),
    'limits.cpu_percent',
  ],
  ['an additional field', { command: 'reboot' }, 'spec'],
  ['an additional limit', withLimit({ nice: -20 }), 'limits'],
  ['no limits', { limits: undefined }, 'limits'],
  ['domains that are no list', { domains: { length: 1 } }, 'domains'],
  ['one name twice', { domains: [1, 2].map((domain_id) => ({ ...valid.domains[0], domain_id })) }, 'domains'],
];

test.each(hostile)(
  '%s is refused by name and reaches neither a driver nor the ledger',
  async (_, changes, field) => {
    const { node, folder, controlPlane, deliver } = await startRig();
    await deliver({ ...valid, ...changes });
    expect(controlPlane.reports).toEqual([
      {
        account_id: 1,
        observed_generation: 1,
        outcome: 'failed',
        conditions: [{ type: 'spec', reason: 'Refused', message: expect.stringMatching(`^${field}: .`) }],
        domains: [],
        databases: [],
        apps: [],
        driver_ms: {},
      },
    ]);
    expect(node.steps).toEqual([]);
    expect(await entriesIn(folder)).toEqual([]);
  },
);

test('an invalid message does not stop other specs from being applied', async () => {
  const { controlPlane, metrics, node } = await startRig();
  const rubbish = [null, 7, 'spec', [], {}, { account_id: '1' }, { account_id: 9, generation: 0 }];
  controlPlane.accounts = [...rubbish, valid];
  controlPlane.wake({ account_id: 1, generation: 1 });
  await expect.poll(() => controlPlane.reports.map((report) => report.outcome)).toEqual(['applied']);
  expect((await metrics.specsRefused.get()).values[0]?.value).toBe(rubbish.length);
  expect([...node.parts.keys()]).toEqual(['1 user', '1 slice', '1 web']);
});

test('a refusal contains neither secrets nor the sender’s text', async () => {
  const { controlPlane, deliver } = await startRig();
  await deliver({ ...valid, password_hash: '$6$plain-text-secret', 'evil\u001b[2J\nkey': 1 });
  const message = controlPlane.reports[0]?.conditions[0]?.message ?? '';
  expect(message).toContain('password_hash: ');
  expect(message).not.toContain('plain-text-secret');
  expect(message).toMatch(/^[\x20-\x7e]+$/);
});

test('after a refusal, the last accepted spec stays in force', async () => {
  const { node, clock, ledger, controlPlane, deliver, settle } = await startRig();
  await deliver(valid);
  await deliver({ ...valid, generation: 2, uid: 0 });
  expect(controlPlane.reports.at(-1)).toMatchObject({ observed_generation: 2, outcome: 'failed' });
  expect(ledger.find(1)?.spec.generation).toBe(1);
  node.parts.set('1 web', 'changed by hand');
  clock.advance(400_000);
  await settle();
  expect(node.parts.get('1 web')).toBe('active 512');
});

test('reports the ledger’s refusals: an older generation, other content, another uid', async () => {
  const { node, controlPlane, deliver } = await startRig();
  await deliver({ ...valid, generation: 5 });
  const made = node.changes.count;
  const refusal = async (changes: object) => {
    await deliver({ ...valid, ...changes });
    const report = controlPlane.reports.at(-1);
    return [report?.observed_generation, report?.outcome, report?.conditions[0]?.message.split(':')[0]];
  };
  expect(await refusal({ generation: 4 })).toEqual([4, 'failed', 'generation']);
  expect(await refusal({ generation: 5, terminal_access: true })).toEqual([5, 'failed', 'generation']);
  expect(await refusal({ generation: 6, uid: 20_001 })).toEqual([6, 'failed', 'uid']);
  expect(await refusal({ account_id: 2, generation: 1, linux_user: 'other' })).toEqual([1, 'failed', 'uid']);
  expect(node.changes.count).toBe(made);
});

test('no mutated spec crashes the agent or makes it act outside the accounts’ uids', async () => {
  const { node, controlPlane } = await startRig();
  const uids = new Set<number>();
  node.onSpec = (spec) => void uids.add(spec.uid);
  const field = fc.constantFrom(...Object.keys(valid));
  await fc.assert(
    fc.asyncProperty(field, fc.jsonValue(), async (name, value) => {
      const pulls = controlPlane.pulls;
      controlPlane.accounts = [{ ...valid, [name]: value }];
      controlPlane.wake({ account_id: 1, generation: Number.MAX_SAFE_INTEGER });
      await expect.poll(() => controlPlane.pulls, { interval: 1 }).toBeGreaterThan(pulls);
    }),
    { numRuns: 200 },
  );
  expect([...uids].every((uid) => uid >= 20_000)).toBe(true);
});
