import { type EndpointName, endpoints } from '@innkeeper/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
let accountId: number;
/** Ids of the requests' records, for endpoints whose record is not the account. */
let ids: Partial<Record<EndpointName, number>>;
beforeAll(async () => {
  rig = await startControlPlaneRig();
  const { body } = await rig.ask('createAccount', {
    body: { ...person, username: 'fields', package_id: rig.packages.small },
  });
  accountId = body.data.id;
  const hosting_account_id = accountId;
  const domain = { hosting_account_id, domain_name: 'owned.fields.example' };
  const job = { hosting_account_id, schedule: '@daily', command: 'true' };
  ids = {
    installSsl: (await rig.ask('createDomain', { body: domain })).body.data.id,
    allowDatabaseIp: (await rig.ask('createDatabase', { body: { hosting_account_id } })).body.data.id,
    updateCronJob: (await rig.ask('createCronJob', { body: job })).body.data.id,
  };
});
afterAll(() => rig?.stop());

const person = { username: 'nobody-yet', name: 'N', email: 'n@example.com', password: 'correct horse' };
const limits = {
  disk_limit_mb: 100,
  bandwidth_limit_mb: 100,
  cpu_limit_percent: 1,
  ram_limit_mb: 128,
  max_domains: 1,
  max_databases: 0,
  max_apps: 0,
};

const long = 'x'.repeat(70_000);
const noInteger = ['x', '1e3', 1.5, true, {}, [1], 2 ** 53, '99999999999999999999', '1\n2'];
const noBoolean = ['true', 'yes', 2, -1, {}, []];
const optionalSize = (min: number) => [...noInteger, min - 1, -1, 1e18];
const size = (min: number) => [undefined, null, '', ...optionalSize(min)];
const sizes = {
  disk_limit_mb: size(100),
  bandwidth_limit_mb: size(100),
  cpu_limit_percent: [...size(1), 10_001],
  ram_limit_mb: size(128),
  io_read_mbps: optionalSize(5),
  io_write_mbps: optionalSize(5),
  iops: optionalSize(100),
  max_processes: optionalSize(20),
  max_domains: size(1),
  max_databases: size(0),
  max_apps: size(0),
};
const usernames = [
  undefined,
  null,
  '',
  'ab',
  'a'.repeat(17),
  'a..b',
  '../x',
  'a b',
  'a\nb',
  'a\0b',
  'ünïcode',
  1234,
  {},
  long,
];
const passwords = [
  undefined,
  null,
  '',
  '1234567',
  '        ',
  'new\nlines here',
  'nul\0nul\0nul',
  12_345_678,
  ['12345678'],
  long,
];

const references = [undefined, null, '', ...noInteger];
const labels = (max: number) => ['x'.repeat(max + 1), 'a\nb', 'a\0b', 5, {}, [], long];
const cronJob = {
  name: labels(100),
  schedule: [
    undefined,
    null,
    '',
    '@reboot',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '*\n* * * *',
    5,
    {},
    long,
  ],
  command: [
    ...[
      undefined,
      null,
      '',
      'a;b',
      'a|b',
      'a&b',
      '`a`',
      '$(a)',
      'sudo a',
      '/bin/su',
      'a >/etc/b',
      'a >> /var/b',
    ],
    ...['a\nb', 'a\0b', 'x'.repeat(2_001), 5, {}, long],
  ],
};

const environments = ['x', 5, [1], { '1A': 'x' }, { 'A-B': 'x' }, { A: {} }, { A: 'a\0b' }, { A: long }];
const repositories = [
  'x',
  5,
  { branch: 'main' },
  { repository: 'file:///etc' },
  { repository: 'ext::sh -c id' },
  { repository: '--upload-pack=id' },
  { repository: 'https://user:pw@git.example.com/a' },
  { repository: 'https://127.0.0.1/a' },
  { repository: 'https://localhost/a' },
  { repository: 'git@git.example.com:a' },
  { repository: 'https://git.example.com/a', branch: '--x' },
  { repository: 'https://git.example.com/a', deploy_key: 'x' },
];

/** Values that each field refuses, while the other fields are valid. */
const refused: Partial<Record<EndpointName, { good: object; bad: Record<string, readonly unknown[]> }>> = {
  createAccount: {
    good: { ...person, ...limits },
    bad: {
      username: [...usernames, 'root', 'acme', 'fields'],
      name: [undefined, null, ' ', 'x'.repeat(101), 'a\r\nb', 'a\0b', 5, {}, long],
      email: [undefined, 'x', 'a@', '@b.c', 'a@b c', 'a@b.c\nTo: x@y.z', 5, [], long, 'admin@panel.test'],
      password: passwords,
      package_id: ['x', 1.5, true, {}, 2 ** 60, 4_242, -1, 0],
      ...sizes,
      terminal_access: noBoolean,
    },
  },
  setAccountPassword: { good: { password: 'correct horse' }, bad: { password: passwords } },
  changeAccountPackage: {
    good: {},
    bad: { package_id: [undefined, null, '', ...noInteger, 4_242, -1, 0] },
  },
  setAccountResources: {
    good: { ...limits, terminal_access: false },
    bad: { ...sizes, terminal_access: [undefined, null, ...noBoolean] },
  },
  createDomain: {
    good: { domain_name: 'fields.example.com' },
    bad: {
      hosting_account_id: references,
      domain_name: [
        undefined,
        'x',
        'a..b.c',
        'co.uk',
        'a_b.com',
        'a\nb.com',
        '1.2.3.4',
        {},
        long,
        `${'a.'.repeat(200)}com`,
      ],
      is_primary: noBoolean,
      allow_overlap: noBoolean,
    },
  },
  installSsl: { good: {}, bad: { email: ['x', 'a@', 'a@b.c\nTo: x@y.z', 5, {}, [], long] } },
  createApp: {
    good: { template_key: 'nodejs', name: 'Shop' },
    bad: {
      hosting_account_id: references,
      template_key: [undefined, null, '', 'rails', '__proto__', '../php', 5, {}, long],
      name: [undefined, null, '', 'x'.repeat(65), 'a\nb', 5, {}, [], long],
      domain_id: [...noInteger, 4_242, -1, 0],
      node_version: ['17', '22.1', 'v22', 'latest', 22, {}, long],
      start_command: ['a; b', 'a && b', 'a | b', 'a > b', '$(a)', '`a`', 'A=1 a', "'a", 'a\nb', 5, {}, long],
      env: environments,
      git: repositories,
    },
  },
  createDatabase: { good: {}, bad: { hosting_account_id: references, name: labels(64) } },
  allowDatabaseIp: {
    good: {},
    bad: {
      ip: [undefined, null, '', '%', 'localhost', '10.0.0.0/8', '1.2.3', '::1%lo', 'a\nb', 5, {}, long],
    },
  },
  createCronJob: {
    good: { schedule: '@daily', command: 'true' },
    bad: { hosting_account_id: references, ...cronJob },
  },
  updateCronJob: {
    good: { schedule: '@daily', command: 'true' },
    bad: { ...cronJob, enabled: noBoolean },
  },
};

const table = Object.entries(refused) as [EndpointName, NonNullable<(typeof refused)[EndpointName]>][];

describe('every field of every body', () => {
  it('is among these', () => {
    for (const [name, { body }] of Object.entries(endpoints).flatMap(([name, endpoint]) =>
      'body' in endpoint ? [[name, endpoint] as const] : [],
    )) {
      const bad = refused[name as EndpointName]?.bad ?? {};
      if (body instanceof z.ZodObject)
        expect(Object.keys(bad).sort(), name).toEqual(Object.keys(body.shape).sort());
    }
  });

  const cases = table.flatMap(([name, { bad }]) => Object.keys(bad).map((field) => [name, field] as const));
  it.each(cases)('%s refuses %s by its name', async (name, field) => {
    const { good, bad } = refused[name] ?? { good: {}, bad: {} };
    const owner = 'hosting_account_id' in bad ? { hosting_account_id: accountId } : {};
    for (const value of bad[field] ?? []) {
      const body = { ...owner, ...good, [field]: value };
      const { status, body: answered } = await rig.ask(name, { id: ids[name] ?? accountId, body });
      const shown = `${JSON.stringify(value)?.slice(0, 40)}: ${JSON.stringify(answered).slice(0, 200)}`;
      const named = Object.keys(answered.errors ?? {}).map((key) => key.split('.')[0]);
      expect([status, [...new Set(named)]], shown).toEqual([422, [field]]);
    }
  });

  it('leave nothing behind', async () => {
    const { body } = await rig.ask('listAccounts');
    expect(body.total).toBe(1);
    expect((await rig.ask('listApps')).body.total).toBe(0);
    for (const name of ['listDomains', 'listDatabases', 'listCronJobs'] as const)
      expect((await rig.ask(name)).body.total, name).toBe(1);
  });
});

describe('every field of every query', () => {
  it.each<[name: EndpointName, field: string, query: string]>([
    ['listAccounts', 'username', 'username[]=a'],
    ['listAccounts', 'username', `username=${'x'.repeat(300)}`],
    ['listAccounts', 'username', 'username=a%00b'],
    ['listAccounts', 'per_page', 'per_page=101'],
    ['listAccounts', 'per_page', 'per_page=0'],
    ['listAccounts', 'per_page', 'per_page=x'],
    ['checkUsername', 'username', 'username='],
    ['checkUsername', 'username', 'username=%2e%2e%2fetc'],
    ['getAccount', 'include', 'include[]=apps'],
    ['getAccount', 'include', `include=${'x'.repeat(300)}`],
    ['listDomains', 'hosting_account_id', 'hosting_account_id=x'],
    ['listDomains', 'hosting_account_id', 'hosting_account_id[]=1'],
    ['listDomains', 'per_page', 'per_page=1000000000000000000000'],
    ['listDatabases', 'hosting_account_id', 'hosting_account_id=x'],
    ['listDatabases', 'per_page', 'per_page=101'],
    ['listApps', 'hosting_account_id', 'hosting_account_id=x'],
    ['listApps', 'status', 'status=great'],
    ['listApps', 'status', 'status[]=running'],
    ['listApps', 'per_page', 'per_page=101'],
    ['listCronJobs', 'hosting_account_id', 'hosting_account_id[]=1'],
    ['listCronJobs', 'per_page', 'per_page=0'],
  ])('%s refuses %s in ?%s', async (name, field, query) => {
    const { status, body } = await rig.ask(name, { id: accountId, query });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });
});
