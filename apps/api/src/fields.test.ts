import { type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, pathOf } from '../test/ask.ts';
import { fakeDeps } from '../test/fake-deps.ts';
import { createApp } from './app.ts';

const app = createApp(fakeDeps());
const send = (name: EndpointName, body?: object, query = '') => {
  const endpoint: Endpoint = endpoints[name];
  return ask(app, { method: endpoint.method, path: pathOf(endpoint) + query, body, token: 'admin' });
};

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
const owner = { hosting_account_id: 1 };
const job = { schedule: '@daily', command: 'true' };

const missing = [undefined, null, ''];
const long = 'x'.repeat(70_000);
const noInteger = ['x', '1e3', 1.5, true, {}, [1], 2 ** 53, '99999999999999999999', '1\n2'];
const noBoolean = ['true', 'yes', 2, -1, {}, []];
const noText = ['a\nb', 'a\0b', 5, {}, [], long];
const optionalSize = (min: number) => [...noInteger, min - 1, -1, 1e18];
const size = (min: number) => [...missing, ...optionalSize(min)];
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
const usernames = [...missing, 'ab', 'a'.repeat(17), 'a..b', '../x', 'a b', 'ünïcode', 1234, {}, long];
const passwords = [...missing, '1234567', '        ', 'new\nlines here', 12_345_678, ['12345678'], long];
const references = [...missing, ...noInteger];
const cronJob = {
  name: ['x'.repeat(101), ...noText],
  schedule: [...missing, '@reboot', '* * * *', '* * * * * *', '60 * * * *', '*\n* * * *', 5, {}, long],
  command: [...missing, 'a;b', '`a`', '$(a)', 'sudo a', 'a >/etc/b', 'a\nb', 'x'.repeat(2_001), 5, {}, long],
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
  { repository: 'https://git.example.com/a', branch: '--x' },
  { repository: 'https://git.example.com/a', deploy_key: 'x' },
];

/** For each endpoint with fields, a body that it accepts and, for each field, values that it refuses. */
const refused: Partial<Record<EndpointName, { good: object; bad: Record<string, readonly unknown[]> }>> = {
  createAccount: {
    good: { ...person, ...limits },
    bad: {
      username: usernames,
      name: [undefined, null, ' ', 'x'.repeat(101), ...noText],
      email: [undefined, 'x', 'a@', '@b.c', 'a@b c', 'a@b.c\nTo: x@y.z', 5, [], long],
      password: passwords,
      package_id: ['x', 1.5, true, {}, 2 ** 60],
      ...sizes,
      terminal_access: noBoolean,
    },
  },
  setAccountPassword: { good: { password: 'correct horse' }, bad: { password: passwords } },
  changeAccountPackage: { good: { package_id: 1 }, bad: { package_id: references } },
  setAccountResources: {
    good: { ...limits, terminal_access: false },
    bad: { ...sizes, terminal_access: [undefined, null, ...noBoolean] },
  },
  createDomain: {
    good: { ...owner, domain_name: 'fields.example.com' },
    bad: {
      hosting_account_id: references,
      domain_name: [undefined, 'x', 'a..b.c', 'a_b.com', 'a\nb.com', '1.2.3.4', {}, long],
      is_primary: noBoolean,
      allow_overlap: noBoolean,
    },
  },
  installSsl: { good: {}, bad: { email: ['x', 'a@', 'a@b.c\nTo: x@y.z', 5, {}, [], long] } },
  createApp: {
    good: { ...owner, template_key: 'nodejs', name: 'Shop' },
    bad: {
      hosting_account_id: references,
      template_key: [...missing, 'x'.repeat(65), 5, {}, long],
      name: [...missing, 'x'.repeat(65), ...noText],
      domain_id: noInteger,
      node_version: ['v22-latest', 22, {}, long],
      start_command: ['a\nb', 5, {}, long],
      env: environments,
      git: repositories,
    },
  },
  createDatabase: {
    good: owner,
    bad: { hosting_account_id: references, name: ['x'.repeat(65), ...noText] },
  },
  allowDatabaseIp: {
    good: { ip: '192.0.2.1' },
    bad: { ip: [...missing, '%', 'localhost', '10.0.0.0/8', '1.2.3', '::1%lo', 'a\nb', 5, {}, long] },
  },
  createCronJob: { good: { ...owner, ...job }, bad: { hosting_account_id: references, ...cronJob } },
  updateCronJob: { good: job, bad: { ...cronJob, enabled: noBoolean } },
};

describe('every field of every body', () => {
  it('has a case in this file', () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const bad = refused[name as EndpointName]?.bad ?? {};
      if (endpoint.body instanceof z.ZodObject)
        expect(Object.keys(bad).sort(), name).toEqual(Object.keys(endpoint.body.shape).sort());
    }
  });

  it.each(Object.entries(refused) as [EndpointName, NonNullable<(typeof refused)[EndpointName]>][])(
    'the refusal of %s names this field and no other',
    async (name, { good, bad }) => {
      expect((await send(name, good)).status).toBe(endpoints[name].status);
      for (const [field, values] of Object.entries(bad))
        for (const value of values) {
          const { status, body } = await send(name, { ...good, [field]: value });
          const named = new Set(Object.keys(body.errors ?? {}).map((key) => key.split('.')[0]));
          const shown = `${field} ${JSON.stringify(value)?.slice(0, 40)}`;
          expect([shown, status, [...named]]).toEqual([shown, 422, [field]]);
        }
    },
  );
});

it.each<[name: EndpointName, field: string, query: string]>([
  ['listAccounts', 'username', 'username[]=a'],
  ['listAccounts', 'username', `username=${'x'.repeat(300)}`],
  ['listAccounts', 'username', 'username=a%00b'],
  ['listAccounts', 'per_page', 'per_page=101'],
  ['listAccounts', 'per_page', 'per_page=0'],
  ['listAccounts', 'per_page', 'per_page=x'],
  ['checkUsername', 'username', 'username='],
  ['checkUsername', 'username', 'username[]=abc'],
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
  const { status, body } = await send(name, undefined, `?${query}`);
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
});
