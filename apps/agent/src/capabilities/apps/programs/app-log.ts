import type { Answer, Question } from '@innkeeper/protocol';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Owner } from '../../../node/owner.ts';
import { ownerOf } from '../../claim.ts';

/** Fits into one NATS message, even after JSON escaping. */
const MOST_BYTES = 128 * 1024;
const MOST_CHARACTERS_A_LINE = 4_000;

/**
 * Returns the newest lines of a log of an app, without terminal control characters. Empty for an app that is not on
 * this server. `read` returns the end of the log. Throws HostError.
 */
export async function answerAppLog(
  { account_id, app_id, lines }: Question<'app-log'>,
  {
    ledger,
    read,
  }: {
    ledger: Pick<Ledger, 'find'>;
    read: (owner: Owner, appId: number, bytes: number) => Promise<string>;
  },
): Promise<Answer<'app-log'>> {
  const spec = ledger.find(account_id)?.spec;
  if (spec === undefined || spec.desired_state === 'absent') return { lines: [] };
  if (!spec.apps.some((app) => app.app_id === app_id)) return { lines: [] };
  const text = await read(ownerOf(spec), app_id, MOST_BYTES);
  const said = text
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replace(/\n$/, '')
    .split('\n')
    .slice(-lines)
    .map((line) => line.slice(0, MOST_CHARACTERS_A_LINE));
  return { lines: text === '' ? [] : said };
}
