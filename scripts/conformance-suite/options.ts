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

export const usage = `Judges any installation of the API v1 over HTTP, by its specification alone.

  ./scripts/conformance BASE_URL TOKEN [OPTION]...

  BASE_URL                   such as https://panel.example.com:8443/api/v1
  TOKEN                      of an admin, with every ability; @FILE reads it from a file, as with every token

More tokens, for the clauses that need them:
  --reseller-token TOKEN         of a reseller, with every ability
  --read-only-token TOKEN        of the same admin, with the preset Read only
  --provisioning-token TOKEN     likewise, with the preset Provisioning
  --no-abilities-token TOKEN     likewise, without any ability
  --revoked-token TOKEN          one that was revoked
  --foreign-address-token TOKEN  one whose allowlist holds 203.0.113.200 alone, which is nobody's address
  --tokens FILE                  a JSON object of them: { "reseller": "...", "read-only": "...", ... }
  --reseller-pool NAME=VALUE     what the reseller's pool holds, such as iops=500; repeatable

  --package-id ID        what to create accounts with (default: the active package with the smallest disk)
  --domain-suffix NAME   below which domains are made (default: example.com)
  --git-repository URL   an HTTPS repository of a Node app that the servers can reach
  --settle SECONDS       how long an asynchronous operation may take (default: 60)
  --slow                 also what takes five minutes of waiting
  --only SECTION         such as 4.12, 5 or D; repeatable

The sections D are what this project decided where the specification is silent: "differs" there is no failure.

It makes accounts with names of its own (cf... and 7cf..., at most 7), and terminates them at the end, after a failure
and after Ctrl-C too. It keeps to the rate limit, so a run takes minutes. Exit code: 0 nothing failed, 1
something did, 2 called wrongly.`;

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
