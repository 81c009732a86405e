import type { FieldErrors } from '../domain-error.ts';
import { recordSentences } from '../domain-error.ts';
import type { AccountLimits } from '../limits/limits.ts';

/** An account's present counts of what a package or a limit bounds. */
export interface AccountUsage {
  domains: number;
  databases: number;
  apps: number;
  disk_used_mb: number;
}

/** Reasons why an account cannot move to a package, one phrase each ("4 domains (at most 3)"). Empty if it fits. */
export function excessOver(
  target: Pick<AccountLimits, 'max_domains' | 'max_databases' | 'max_apps' | 'disk_limit_mb'>,
  usage: AccountUsage,
): string[] {
  const measures: [has: number, most: number, what: string][] = [
    [usage.domains, target.max_domains, 'domains'],
    [usage.databases, target.max_databases, 'databases'],
    [usage.apps, target.max_apps, 'apps'],
    [usage.disk_used_mb, target.disk_limit_mb, 'MiB of disk'],
  ];
  return measures
    .filter(([has, most]) => has > most)
    .map(([has, most, what]) => `${has} ${what} (at most ${most})`);
}

/** The count limits that a request would set below the account's present count. */
export function limitsBelowUsage(
  wanted: Pick<AccountLimits, 'max_domains' | 'max_databases' | 'max_apps'>,
  usage: AccountUsage,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const [field, has] of [
    ['max_domains', usage.domains],
    ['max_databases', usage.databases],
    ['max_apps', usage.apps],
  ] as const)
    if (wanted[field] < has) errors[field] = [recordSentences.atLeast(field, has)];
  return errors;
}
