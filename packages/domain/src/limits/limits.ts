/** For `percent of one core`, 200 means two cores. `IOPS` are operations per second. */
export type LimitUnit = 'MiB' | 'percent of one core' | 'MiB/s' | 'IOPS' | 'count';

interface LimitDefinition {
  /** Column of accounts and of packages, and field of an account in the API. */
  readonly name: string;
  /** Field of a package in the API, and of the spec if a node enforces the limit. */
  readonly packageField: string;
  /** Column and field of a reseller's pool. Null: not pooled. */
  readonly poolField: string | null;
  /** Field for the number of a reseller's accounts that are unlimited. Null: not pooled, or never unlimited. */
  readonly unlimitedField: string | null;
  /** Name in forms and tables, without the unit, in each language of the panel. */
  readonly label: { readonly en: string; readonly de: string };
  /** Phrase for the OpenAPI document, with the unit. Null: the field's name says enough. */
  readonly description: string | null;
  readonly unit: LimitUnit;
  /** Inclusive. Agents accept every value from 1 to `max`, so a node rejects no value that the API accepts. */
  readonly min: number;
  readonly max: number;
  /** Whether null (unlimited) is a valid value. */
  readonly unlimitable: boolean;
  /** Whether the accounts can get more of it than the pool has, if overselling is on. */
  readonly oversellable: boolean;
  /** Nodes enforce it, so it is in the spec. False: the control plane counts records. */
  readonly onNode: boolean;
  /** Requests may set it for one account. False: it follows the package. */
  readonly settable: boolean;
}

const size = {
  unlimitedField: null,
  unlimitable: false,
  oversellable: true,
  onNode: true,
  settable: true,
} as const;
const rate = { unlimitable: true, oversellable: false, onNode: true, settable: true } as const;
const count = {
  poolField: null,
  unlimitedField: null,
  description: null,
  unit: 'count',
  unlimitable: false,
  oversellable: false,
  onNode: false,
  settable: true,
} as const;

/**
 * Every limit of an account and of a package, in the order of answers and forms. The API's fields, their bounds and
 * descriptions, views, pools, specs, innctl's options and the panel's forms are made from this table. A new limit
 * needs a row here, a migration for its columns, its field in node.proto, and a driver that enforces it. A new limit
 * with `onNode` must be unlimitable: the ledgers of older agents do not have it.
 */
export const limits = [
  {
    ...size,
    name: 'disk_limit_mb',
    packageField: 'disk_mb',
    poolField: 'disk_mb',
    label: { en: 'Disk space', de: 'Speicherplatz' },
    description: 'Disk space in MiB',
    unit: 'MiB',
    min: 100,
    max: 1_000_000_000,
  },
  {
    ...size,
    name: 'bandwidth_limit_mb',
    packageField: 'bandwidth_mb',
    poolField: 'bandwidth_mb',
    label: { en: 'Bandwidth per month', de: 'Datenverkehr pro Monat' },
    description: 'Bandwidth in MiB per calendar month (UTC)',
    unit: 'MiB',
    min: 100,
    max: 2_000_000_000,
  },
  {
    ...size,
    name: 'cpu_limit_percent',
    packageField: 'cpu_percent',
    poolField: 'cpu_percent',
    label: { en: 'CPU', de: 'CPU' },
    description: 'CPU in percent of one core (200 = two cores)',
    unit: 'percent of one core',
    min: 1,
    max: 10_000,
  },
  {
    ...size,
    name: 'ram_limit_mb',
    packageField: 'ram_mb',
    poolField: 'ram_mb',
    label: { en: 'Memory', de: 'Arbeitsspeicher' },
    description: 'Memory in MiB',
    unit: 'MiB',
    min: 128,
    max: 100_000_000,
  },
  {
    ...rate,
    name: 'io_read_mbps',
    packageField: 'io_read_mbps',
    poolField: 'io_read_mbps',
    unlimitedField: 'unlimited_io_read',
    label: { en: 'Disk read rate', de: 'Leserate der Festplatte' },
    description: 'Disk read rate in MiB/s',
    unit: 'MiB/s',
    min: 5,
    max: 1_000_000,
  },
  {
    ...rate,
    name: 'io_write_mbps',
    packageField: 'io_write_mbps',
    poolField: 'io_write_mbps',
    unlimitedField: 'unlimited_io_write',
    label: { en: 'Disk write rate', de: 'Schreibrate der Festplatte' },
    description: 'Disk write rate in MiB/s',
    unit: 'MiB/s',
    min: 5,
    max: 1_000_000,
  },
  {
    ...rate,
    name: 'iops',
    packageField: 'iops',
    poolField: 'iops',
    unlimitedField: 'unlimited_iops',
    label: { en: 'Disk operations per second', de: 'Festplattenzugriffe pro Sekunde' },
    description: 'Disk operations per second',
    unit: 'IOPS',
    min: 100,
    max: 100_000_000,
  },
  {
    ...rate,
    name: 'max_processes',
    packageField: 'max_processes',
    poolField: 'max_processes',
    unlimitedField: 'unlimited_processes',
    label: { en: 'Processes', de: 'Prozesse' },
    description: 'Maximum number of simultaneous processes',
    unit: 'count',
    min: 20,
    max: 4_000_000,
  },
  {
    ...count,
    name: 'max_domains',
    packageField: 'max_domains',
    label: { en: 'Domains', de: 'Domains' },
    min: 1,
    max: 1_000_000,
  },
  {
    ...count,
    name: 'max_databases',
    packageField: 'max_databases',
    label: { en: 'Databases', de: 'Datenbanken' },
    min: 0,
    max: 1_000_000,
  },
  {
    ...count,
    name: 'max_apps',
    packageField: 'max_apps',
    label: { en: 'Apps', de: 'Apps' },
    min: 0,
    max: 1_000_000,
  },
  {
    ...count,
    name: 'max_cron_jobs',
    packageField: 'max_cron_jobs',
    label: { en: 'Cron jobs', de: 'Cronjobs' },
    min: 0,
    max: 1_000_000,
    settable: false,
  },
] as const satisfies readonly LimitDefinition[];

export type Limit = (typeof limits)[number];
/** The limits that nodes enforce. */
export type NodeLimit = Extract<Limit, { onNode: true }>;
export type PooledLimit = Extract<Limit, { poolField: string }>;
export type SettableLimit = Extract<Limit, { settable: true }>;

export const nodeLimits = limits.filter((limit): limit is NodeLimit => limit.onNode);
export const pooledLimits = limits.filter((limit): limit is PooledLimit => limit.poolField !== null);
export const settableLimits = limits.filter((limit): limit is SettableLimit => limit.settable);
export const limitNames = limits.map(({ name }) => name);

/** Null: unlimited. */
type ValueOf<L extends Limit> = L['unlimitable'] extends true ? number | null : number;
export type AccountLimits = { [L in Limit as L['name']]: ValueOf<L> };
export type PackageLimits = { [L in Limit as L['packageField']]: ValueOf<L> };
export type NodeLimits = { [L in NodeLimit as L['packageField']]: ValueOf<L> };
/** The limits that a pool has a size for. */
export type ResourceLimits = { [L in PooledLimit as L['name']]: ValueOf<L> };

/** A value for each limit of an account. */
export function accountLimits(valueFor: (limit: Limit) => number | null): AccountLimits {
  return Object.fromEntries(limits.map((limit) => [limit.name, valueFor(limit)])) as AccountLimits;
}

/** The labels of all limits, by their names in accounts. */
export function limitLabels(language: keyof Limit['label']): Record<Limit['name'], string> {
  return Object.fromEntries(limits.map(({ name, label }) => [name, label[language]])) as Record<
    Limit['name'],
    string
  >;
}

/** Only the limits, without the other columns of the row. */
export function limitsOf(row: AccountLimits): AccountLimits {
  return accountLimits(({ name }) => row[name]);
}

/** The limits of a package, with the names of its fields. */
export function packageLimitsOf(row: AccountLimits): PackageLimits {
  return Object.fromEntries(
    limits.map(({ name, packageField }) => [packageField, row[name]]),
  ) as PackageLimits;
}

/** The limits that a node enforces, with the names of the spec. */
export function nodeLimitsOf(row: AccountLimits): NodeLimits {
  return Object.fromEntries(
    nodeLimits.map(({ name, packageField }) => [packageField, row[name]]),
  ) as NodeLimits;
}

/** A label or description without its initial capital, except for an abbreviation: `disk space`, `CPU`. */
export function withinSentence(phrase: string): string {
  return /^[A-Z][a-z]/.test(phrase) ? phrase.charAt(0).toLowerCase() + phrase.slice(1) : phrase;
}

/** Maximum number of domains of one account on a node, including those that are being removed. */
export const DOMAINS_PER_ACCOUNT = 10_000;

/** The same maximum for databases, apps and cron jobs. */
export const DATABASES_PER_ACCOUNT = 1_000;
export const APPS_PER_ACCOUNT = 100;
export const CRON_JOBS_PER_ACCOUNT = 500;
