import type { Answer } from './answer.ts';
import { judged, type Section } from './clause.ts';
import { Client } from './client.ts';
import type { Options } from './options.ts';
import { type Counts, createReport, type Report } from './report.ts';
import { sections as all } from './sections/index.ts';
import { seenOf } from './seen.ts';
import { World } from './world.ts';

/** Approximate number of requests of a complete run that count against the rate limit, for the estimate. */
const ABOUT_REQUESTS = 720;

export interface Ended {
  counts: Counts;
  /** Accounts that could not be terminated. */
  left: string[];
  interrupted: boolean;
  requests: number;
}

/** Runs the requested sections in their order, and terminates every account that it created. */
export async function run(options: Options, signal: AbortSignal): Promise<Ended> {
  const sections = all.filter(({ number }) => isWanted(number, options.only));
  const total = sections.reduce((sum, { clauses }) => sum + clauses.length, 0);
  const counts: Counts = { ok: 0, fail: 0, differs: 0, skipped: 0 };
  const report = createReport(total, counts);
  const world = new World(options, {
    baseUrl: options.baseUrl,
    signal,
    onPause: (seconds) => report.pause(seconds),
    onAnswer: (answer) => world.seen.push(seenOf(answer)),
  });
  try {
    await introduce(world, report, total);
    for (const section of sections) await judgeSection(section, world, report);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    report.note('\nTerminating the accounts of this run ...');
  }
  const left = await cleanUp(world, options, report);
  return { counts, left, interrupted: signal.aborted, requests: world.seen.length };
}

async function judgeSection(section: Section, world: World, report: Report): Promise<void> {
  report.section(section);
  for (const [index, clause] of section.clauses.entries()) {
    const result = await judged(clause, world);
    if (section.isDecision && result.outcome === 'fail') result.outcome = 'differs';
    report.clause(`${section.number}.${index + 1}`, clause.title, result);
  }
}

/** Prints the token's user and the estimated duration. Throws if the run cannot start. */
async function introduce(world: World, report: Report, total: number): Promise<void> {
  const me = await world.api.get('/auth/me').catch((error: unknown) => {
    world.signal.throwIfAborted();
    throw new Error(`${world.options.baseUrl} cannot be reached: ${reason(error)}`);
  });
  if (me.status !== 200) throw new Error(`GET /auth/me answered ${me.status} ${me.excerpt()}`);
  const role = String(me.at('user.role'));
  if (role !== 'admin') throw new Error(`the token must be an admin's; it is of role ${role}`);
  report.note(
    `${total} clauses, as ${me.at('user.username')} (admin), with names that begin with ${world.prefix}.`,
  );
  report.note(durationOf(me, world.options));
}

function durationOf(me: Answer, options: Options): string {
  if (options.only.length > 0) return 'Some sections only.';
  const perMinute = Number(me.headers.get('x-ratelimit-limit') ?? 60);
  const minutes = Math.ceil(ABOUT_REQUESTS / perMinute) - 1 + (options.slow ? 5 : 0);
  const words = minutes < 2 ? 'a minute or two' : `about ${minutes} minutes`;
  return `Some ${ABOUT_REQUESTS} requests at ${perMinute} a minute: this takes ${words}.`;
}

/** Has its own abort signal: it works after an interruption, and it has a timeout. */
async function cleanUp(world: World, options: Options, report: Report): Promise<string[]> {
  const client = new Client(
    {
      baseUrl: options.baseUrl,
      signal: AbortSignal.timeout(180_000),
      onPause: (seconds) => report.note(`  ... in ${seconds} s, for the rate limit`),
      onAnswer: () => {},
    },
    options.token,
  );
  return await world.accounts.terminateAll(client);
}

function isWanted(number: string, only: readonly string[]): boolean {
  return (
    only.length === 0 ||
    only.some(
      (wanted) =>
        number === wanted || number.startsWith(`${wanted}.`) || (wanted === 'D' && number.startsWith('D')),
    )
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
