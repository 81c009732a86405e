import type { EndpointName } from '@innkeeper/contract';
import { createPackage, createToken } from '@innkeeper/services';
import type { ControlPlaneRig } from '../integration/control-plane-rig.ts';

export const recordKinds = ['account', 'package', 'domain', 'app', 'database', 'cronJob', 'user'] as const;
export type RecordKind = (typeof recordKinds)[number];

/**
 * A reference to a record in a request that was generated before the record existed. It means the record with this
 * number at the time when the request is sent. So a seed always generates the same requests, whatever the ids are.
 */
export class RecordRef {
  readonly kind: RecordKind;
  readonly number: number;

  constructor(kind: RecordKind, number: number) {
    this.kind = kind;
    this.number = number;
  }
}

/** Ids of each kind, the newest last. */
export type Records = Readonly<Record<RecordKind, number[]>>;

const PER_KIND = 12;

/** Returns the id of a reference. If there is no record of its kind, returns an id that no record has. */
export function resolve(records: Records, { kind, number }: RecordRef): number {
  const newest = records[kind].slice(-PER_KIND);
  return newest[number % newest.length] ?? 999_999;
}

export interface Population {
  records: Records;
  /** Plain tokens: of an admin, of a reseller, a read-only one, and one without abilities. */
  tokens: readonly string[];
  /** Adds records, because requests remove some. */
  refresh(): Promise<void>;
}

const counts = { max_domains: 40, max_databases: 20, max_apps: 10, max_cron_jobs: 20 };
const sizes = { disk_mb: 1_000, bandwidth_mb: 10_000, cpu_percent: 100, ram_mb: 512 };
const unlimited = { io_read_mbps: null, io_write_mbps: null, iops: null, max_processes: null };

/** Creates packages with room, tokens of several kinds, and accounts with records. */
export async function populate(rig: ControlPlaneRig): Promise<Population> {
  const wide = { ...sizes, ...counts, ...unlimited, resellers: ['acme'] };
  const roomy = await createPackage(rig.operator, { name: 'Roomy', ...wide });
  const roomier = await createPackage(rig.operator, { name: 'Roomier', ...wide, terminal_access: true });
  const { small, large, adminOnly } = rig.packages;
  const tokenWith = async (abilities: string[]) =>
    (await createToken(rig.operator, { user: 'acme', name: 'fuzz', abilities })).plain_token;
  const records: Records = {
    account: [],
    package: [small, large, adminOnly, roomy.id, roomier.id],
    domain: [],
    app: [],
    database: [],
    cronJob: [],
    user: [1, 2, 3, 4],
  };
  let round = 0;
  return {
    records,
    tokens: [
      rig.adminToken,
      rig.resellerToken,
      await tokenWith(['accounts:read', 'domains:read']),
      await tokenWith([]),
    ],
    refresh: async () => {
      round += 1;
      await Promise.all(
        [rig.adminToken, rig.adminToken, rig.resellerToken].map((token, index) =>
          addAccount(rig, records, { token, name: `fz${round}x${index}`, packageId: roomy.id }),
        ),
      );
    },
  };
}

interface NewAccount {
  token: string;
  name: string;
  packageId: number;
}

async function addAccount(rig: ControlPlaneRig, records: Records, { token, name, packageId }: NewAccount) {
  const add = async (kind: RecordKind, endpoint: EndpointName, fields: object) => {
    const { status, body } = await rig.ask(endpoint, { token, body: fields });
    if (status !== 201) throw new Error(`${endpoint}: ${JSON.stringify(body)}`);
    records[kind].push(body.data.id);
    return body.data.id as number;
  };
  const person = { name: 'Fuzz', email: `${name}@example.com`, password: 'correct horse' };
  const id = await add('account', 'createAccount', { ...person, username: name, package_id: packageId });
  const owner = { hosting_account_id: id };
  const domain_id = await add('domain', 'createDomain', { ...owner, domain_name: `${name}.example.com` });
  await add('database', 'createDatabase', { ...owner, name: 'first' });
  await add('cronJob', 'createCronJob', { ...owner, schedule: '@daily', command: 'true' });
  await add('app', 'createApp', { ...owner, template_key: 'php', name: 'first', domain_id });
}
