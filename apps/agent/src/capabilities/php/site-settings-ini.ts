import { DOMAIN_NAME_PATTERN, type PhpNumber, phpNumberNames, TIME_ZONE_PATTERN } from '@innkeeper/domain';
import { type AccountSpec, type DomainSpec, type PhpSettings, plainPhp } from '@innkeeper/protocol';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { refused } from '../../node/host-error.ts';

/**
 * The settings of an account's sites, as PHP reads them at its start: a section `[HOST=name]` for each name of a site
 * that has any. PHP applies it to requests whose SERVER_NAME, which nginx sets, is that name, and takes it back after the
 * request. Scripts and `.user.ini` cannot change a value from there.
 *
 * Values are numbers, `1` and names of time zones, each checked again here. Text of the owner never gets into the file.
 */
export const NO_SETTINGS = `; ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`;

/** Null: no site has settings. Throws HostError `Refused` for a value that could inject other settings. */
export function siteSettingsIni(spec: AccountSpec): string | null {
  const domains = spec.domains.filter(({ desired_state }) => desired_state === 'active');
  const names = new Set(domains.map(({ name }) => name));
  const sections = domains.flatMap((domain) => {
    const { php } = shownBy(domain, domains).site;
    const lines = linesOf(php, spec.limits.ram_mb);
    if (lines.length === 0) return [];
    const www = `www.${domain.name}`;
    return [domain.name, ...(names.has(www) ? [] : [www])].map((name) => [
      `[HOST=${checked(name)}]`,
      ...lines,
    ]);
  });
  if (sections.length === 0) return null;
  return `${NO_SETTINGS}${sections.flat().join('\n')}\n`;
}

/** The domain whose site a name shows. */
function shownBy(domain: DomainSpec, domains: readonly DomainSpec[]): DomainSpec {
  return domains.find(({ domain_id }) => domain_id === domain.alias_of) ?? domain;
}

function linesOf(php: PhpSettings, ramMb: number): string[] {
  const { display_errors, time_zone, cache_revision } = php;
  const numbers = phpNumberNames.flatMap((name) => {
    const value = php[name];
    return value === plainPhp[name] || value === null ? [] : numberLines(name, value, ramMb);
  });
  return [
    ...numbers,
    ...(display_errors ? ['display_errors = "1"'] : []),
    ...(time_zone === null ? [] : [`date.timezone = "${zoneOf(time_zone)}"`]),
    // Another text makes FPM start anew, with an empty cache.
    ...(cache_revision === 0 ? [] : [`; cache ${digits(cache_revision)}`]),
  ];
}

function numberLines(name: PhpNumber, value: number, ramMb: number): string[] {
  switch (name) {
    case 'memory_limit_mb':
      // The account can have got less memory since it was set.
      return [`memory_limit = "${digits(Math.min(value, ramMb))}M"`];
    case 'upload_mb':
      return [`upload_max_filesize = "${digits(value)}M"`, `post_max_size = "${digits(value)}M"`];
    case 'execution_s':
      return [`max_execution_time = "${digits(value)}"`];
    case 'input_vars':
      return [`max_input_vars = "${digits(value)}"`];
  }
}

function digits(value: number): string {
  if (!Number.isSafeInteger(value) || value < 1) throw unfit('number');
  return `${value}`;
}

function zoneOf(name: string): string {
  if (!TIME_ZONE_PATTERN.test(name)) throw unfit('time zone');
  return name;
}

function checked(name: string): string {
  if (!DOMAIN_NAME_PATTERN.test(name)) throw unfit('name');
  return name;
}

function unfit(what: string): Error {
  return refused(`A site has a ${what} that is not allowed in the PHP configuration.`);
}
