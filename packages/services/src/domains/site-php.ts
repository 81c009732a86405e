import type { PhpInput } from '@innkeeper/contract';
import {
  type AccountRow,
  type Database,
  type DomainDetails,
  getAccountDetails,
  getDomainDetails,
  getPhpLimits,
  type SiteColumns,
} from '@innkeeper/db';
import {
  invalidField,
  type PhpLimits,
  type PhpNumber,
  phpDefaults,
  phpNumberNames,
  words,
} from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

type PhpColumn = Extract<keyof SiteColumns, `php_${string}`>;

/** What the owner of a site has set for PHP. Null: the default. Sizes in MiB, times in seconds. */
export interface SitePhp extends Record<PhpNumber, number | null> {
  display_errors: boolean;
  /** A name of the IANA database. */
  time_zone: string | null;
}

export interface SitePhpView {
  settings: SitePhp;
  /** What a site without settings has. */
  defaults: PhpLimits;
  /** The highest values that the operator and the account's memory allow. */
  highest: PhpLimits;
}

/** The settings of PHP of a domain's site. Throws `not_found`. */
export async function getSitePhp(
  ctx: ServiceContext,
  { domain_id }: { domain_id: number },
): Promise<SitePhpView> {
  const scope = scopeOf(ctx.actor);
  const domain = await getDomainDetails(ctx.db, scope, domain_id);
  const [{ ram_limit_mb }, limits] = await Promise.all([
    getAccountDetails(ctx.db, scope, domain.account_id),
    getPhpLimits(ctx.db),
  ]);
  return {
    settings: sitePhpOf(domain),
    defaults: phpDefaults(ram_limit_mb),
    highest: { ...limits, memory_limit_mb: Math.min(limits.memory_limit_mb, ram_limit_mb) },
  };
}

export function sitePhpOf(domain: Pick<DomainDetails, PhpColumn>): SitePhp {
  return {
    memory_limit_mb: domain.php_memory_limit_mb,
    upload_mb: domain.php_upload_mb,
    execution_s: domain.php_execution_s,
    input_vars: domain.php_input_vars,
    display_errors: domain.php_display_errors === 1,
    time_zone: domain.php_time_zone,
  };
}

/** The columns of new settings: a setting that is omitted gets its default. */
export function phpColumnsOf(php: PhpInput): Partial<SiteColumns> {
  return {
    php_memory_limit_mb: php.memory_limit_mb ?? null,
    php_upload_mb: php.upload_mb ?? null,
    php_execution_s: php.execution_s ?? null,
    php_input_vars: php.input_vars ?? null,
    php_display_errors: Number(php.display_errors ?? false),
    php_time_zone: php.time_zone ?? null,
  };
}

/** Throws `invalid` at the first field with more than the operator or the account's memory allows. */
export async function requireAllowedPhp(
  trx: Transaction<Database>,
  { ram_limit_mb }: Pick<AccountRow, 'ram_limit_mb'>,
  php: PhpInput,
): Promise<void> {
  const limits = await getPhpLimits(trx);
  if ((php.memory_limit_mb ?? 0) > ram_limit_mb)
    throw invalidField(
      'memory_limit_mb',
      `The ${words('memory_limit_mb')} field must not be greater than ${ram_limit_mb}: the account has no more memory.`,
    );
  for (const name of phpNumberNames)
    if ((php[name] ?? 0) > limits[name])
      throw invalidField(
        name,
        `The ${words(name)} field must not be greater than ${limits[name]}: the hosting provider allows no more.`,
      );
  if (php.display_errors === true && !limits.display_errors)
    throw invalidField('display_errors', 'The hosting provider does not allow that visitors see errors.');
}
