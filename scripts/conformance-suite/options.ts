import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Additional tokens. Each one makes more clauses testable. */
export const tokenKinds = [
  'reseller',
  'read-only',
  'provisioning',
  'no-abilities',
  'revoked',
  'foreign-address',
] as const;
export type TokenKind = (typeof tokenKinds)[number];

export interface Options {
  /** Ends in /api/v1, without a slash. */
  baseUrl: string;
  token: string;
  tokens: Partial<Record<TokenKind, string>>;
  packageId: number | undefined;
  domainSuffix: string;
  gitRepository: string | undefined;
  /** Limits of the reseller's pool, by the name of an account's limit, such as `iops`. */
  resellerPool: Record<string, number>;
  /** How long a resource may take to reach its final state, in ms. */
  settleMs: number;
  /** Run checks that take minutes, such as the expiry of a login link. */
  slow: boolean;
  /** Sections to run. Empty: all. */
  only: readonly string[];
}

export const usage = `Tests any installation of the API v1 over HTTP against its specification.

  ./scripts/conformance BASE_URL TOKEN [OPTION]...

  BASE_URL                   for example https://panel.example.com:8443/api/v1
  TOKEN                      of an admin, with every ability; @FILE reads any token from a file

More tokens, for the clauses that need them:
  --reseller-token TOKEN         of a reseller, with every ability
  --read-only-token TOKEN        of the same admin, with the preset Read only
  --provisioning-token TOKEN     of the same admin, with the preset Provisioning
  --no-abilities-token TOKEN     of the same admin, without any ability
  --revoked-token TOKEN          a revoked token
  --foreign-address-token TOKEN  a token whose allowlist is only 203.0.113.200, an address that no client has
  --tokens FILE                  a JSON object with these tokens: { "reseller": "...", "read-only": "...", ... }
  --reseller-pool NAME=VALUE     a limit of the reseller's pool, for example iops=500; repeatable

  --package-id ID        the package of new accounts (default: the active package with the smallest disk)
  --domain-suffix NAME   the parent domain of new domains (default: example.com)
  --git-repository URL   an HTTPS repository of a Node.js app that the servers can reach
  --settle SECONDS       timeout of an asynchronous operation (default: 60)
  --slow                 also run the clauses that wait for five minutes
  --only SECTION         run only this section, for example 4.12, 5 or D; repeatable

The sections D are decisions of this project where the specification says nothing: the result "differs" there is not
a failure.

A run creates at most 7 accounts, named cf... and 7cf..., and terminates them at its end, also after a failure or
Ctrl-C. It respects the rate limit, so it takes minutes. Exit codes: 0 no clause failed, 1 a clause failed or an account
could not be terminated, 2 invalid arguments.`;

export class UsageError extends Error {}

export function readOptions(argv: string[]): Options {
  const { values, positionals } = parse(argv);
  const [baseUrl, token, ...more] = positionals;
  if (baseUrl === undefined || token === undefined || more.length > 0)
    throw new UsageError('two arguments are needed: BASE_URL and TOKEN');
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new UsageError(`BASE_URL must be an http or https URL, not ${baseUrl}`);
  const tokens: Options['tokens'] = values.tokens === undefined ? {} : readTokens(values.tokens);
  for (const kind of tokenKinds) {
    const given = values[`${kind}-token`];
    if (typeof given === 'string') tokens[kind] = secret(given);
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    token: secret(token),
    tokens,
    packageId: values['package-id'] === undefined ? undefined : wholeNumber(values['package-id']),
    domainSuffix: values['domain-suffix'] ?? 'example.com',
    gitRepository: values['git-repository'],
    resellerPool: Object.fromEntries((values['reseller-pool'] ?? []).map(namedNumber)),
    settleMs: 1_000 * wholeNumber(values.settle ?? '60'),
    slow: values.slow ?? false,
    only: values.only ?? [],
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const many = { type: 'string', multiple: true } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        'reseller-token': text,
        'read-only-token': text,
        'provisioning-token': text,
        'no-abilities-token': text,
        'revoked-token': text,
        'foreign-address-token': text,
        tokens: text,
        'reseller-pool': many,
        'package-id': text,
        'domain-suffix': text,
        'git-repository': text,
        settle: text,
        slow: { type: 'boolean' },
        only: many,
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function secret(text: string): string {
  return text.startsWith('@') ? readText(text.slice(1)).trim() : text;
}

function readTokens(file: string): Options['tokens'] {
  const found: unknown = JSON.parse(readText(file));
  const entries = Object.entries(found as Record<string, unknown>);
  const unknown = entries.find(
    ([kind, token]) => !tokenKinds.some((known) => known === kind) || typeof token !== 'string',
  );
  if (unknown !== undefined) throw new UsageError(`${file}: "${unknown[0]}" is not one of ${tokenKinds}`);
  return Object.fromEntries(entries);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${text} is not a whole number`);
  return Number(text);
}

function namedNumber(text: string): [string, number] {
  const [name = '', value = ''] = text.split('=');
  return [name, wholeNumber(value)];
}
