import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Guest, type ProgramResult, requireProgram, runProgram, waitUntil } from '@innkeeper/testkit';
import { expect } from 'vitest';
import type { AccountBody, RestClient } from '../boxes/rest-client.ts';
import { type SiteAnswer, visit } from '../boxes/site.ts';

/** Seconds instead of milliseconds: the processor of the hosting server is emulated. */
export const SLOW_MS = 300_000;

/** Of each account's user, for the panel. */
export const PASSWORD = 'correct horse battery';

/** Limits of an account, by the names of the API. */
export const LIMITS = {
  disk_limit_mb: 150,
  bandwidth_limit_mb: 10_000,
  cpu_limit_percent: 100,
  ram_limit_mb: 256,
  io_read_mbps: null as number | null,
  io_write_mbps: null as number | null,
  iops: null as number | null,
  max_processes: 100,
  max_domains: 5,
  max_databases: 5,
  max_apps: 5,
  max_cron_jobs: 5,
};
export type Limits = typeof LIMITS;

/** A customer of the hosting server: an account with a site, created over REST, and what the customer does with it. */
export interface Tenant {
  id: number;
  username: string;
  uid: number;
  site: string;
  domainId: number;
  /** Runs a shell line in an SSH session. Exit code 255: the login was refused. */
  ssh(line: string, timeoutMs?: number): Promise<ProgramResult>;
  get(path?: string): Promise<SiteAnswer>;
  /** Writes a file below the site's folder. */
  publish(path: string, content: string): Promise<void>;
  /** Writes a file below the home that nobody else can read. */
  place(path: string, content: string): Promise<void>;
  setLimits(limits: Partial<Limits>): Promise<void>;
  untilSynced(): Promise<void>;
}

export interface TenantContext {
  api: RestClient;
  guest: Guest & { address: string };
  /** Folder with the customers' SSH key. */
  keys: string;
}

/** Makes the SSH key of the customers, in a folder of its own. */
export async function makeKeys(): Promise<{ keys: string; end: () => Promise<void> }> {
  const keys = await mkdtemp(join(tmpdir(), 'innkeeper-vm-'));
  await requireProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'key')]);
  return { keys, end: () => rm(keys, { recursive: true }) };
}

export async function createTenant(
  context: TenantContext,
  username: string,
  limits: Partial<Limits> = {},
): Promise<Tenant> {
  const { api, guest, keys } = context;
  const wanted = { ...LIMITS, ...limits };
  const created = await api.post<AccountBody>('/accounts', {
    ...{ username, name: username, email: `${username}@example.com`, password: PASSWORD },
    ...{ terminal_access: true, ...wanted },
  });
  expect(created).toMatchObject({ status: 201 });
  const { id } = created.body.data;
  const site = `${username}.example.com`;
  const untilSynced = async () => {
    await waitUntil(
      `${username} to be synced`,
      async () => (await api.get<AccountBody>(`/accounts/${id}`)).body.data.synced,
      { timeoutMs: SLOW_MS, everyMs: 250 },
    );
  };
  const domain = await api.post<{ data: { id: number } }>('/domains', {
    hosting_account_id: id,
    domain_name: site,
  });
  expect(domain).toMatchObject({ status: 201 });
  await untilSynced();
  const uid = Number(await guest.require(['id', '-u', username]));
  const asUser = ['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', 'sh', '-ec'];
  const home = `/home/${username}`;
  const place = async (path: string, content: string, mode: string) => {
    const script = `umask 022; mkdir -p "$(dirname ${path})"; cat > ${path}; chmod ${mode} ${path}`;
    await guest.require([...asUser, script], { input: content });
  };
  await place(`${home}/.ssh/authorized_keys`, await readFile(join(keys, 'key.pub'), 'utf8'), '600');
  const options = [
    ...['BatchMode=yes', 'LogLevel=ERROR', 'ConnectTimeout=60', 'StrictHostKeyChecking=no'],
    'UserKnownHostsFile=/dev/null',
  ].flatMap((option) => ['-o', option]);
  let current = wanted;
  return {
    ...{ id, username, uid, site, domainId: domain.body.data.id, untilSynced },
    ssh: async (line, timeoutMs = SLOW_MS) =>
      await runProgram(
        ['ssh', '-F', 'none', '-i', join(keys, 'key'), ...options, `${username}@${guest.address}`, line],
        { timeoutMs },
      ),
    get: (path = '/') => visit(guest.address, site, path),
    place: (path, content) => place(`${home}/${path}`, content, '600'),
    publish: (path, content) => place(`${home}/domains/${site}/public_html/${path}`, content, '644'),
    setLimits: async (changes) => {
      current = { ...current, ...changes };
      const body = { ...current, terminal_access: true };
      expect(await api.patch(`/accounts/${id}/resources`, body)).toMatchObject({ status: 200 });
      await untilSynced();
    },
  };
}

/** Terminates the account and waits until the hosting server has reported it gone. */
export async function terminate(
  { api }: Pick<TenantContext, 'api'>,
  { id, username }: Pick<Tenant, 'id' | 'username'>,
) {
  expect(await api.delete(`/accounts/${id}`)).toMatchObject({ status: 200 });
  await waitUntil(`${username} to be gone`, async () => (await api.get(`/accounts/${id}`)).status === 404, {
    timeoutMs: SLOW_MS,
    everyMs: 250,
  });
}
