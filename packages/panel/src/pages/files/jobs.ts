import { randomBytes } from 'node:crypto';
import type { FileJob } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import type { FilesClient, NewJob } from '../../files/index.ts';
import { FilesError } from '../../files/index.ts';
import { customerContext } from '../../http/session.ts';
import { filesOf } from './files.ts';

/** A short job is done before its page is shown. */
const WAIT_MS = 1_500;
const KEPT_MS = 10 * 60_000;

/** Jobs of this process by account: their end is known here also if the home has no room for it. */
const own = new Map<number, Map<string, FileJob>>();

type Wanted = NewJob extends infer Job ? (Job extends { id: string } ? Omit<Job, 'id'> : never) : never;

/**
 * Starts a job, which then runs in the background: as long as this process has the channel. Resolves with its state when it has ended, or
 * after a moment. Throws `FilesError` for a job that failed at once.
 */
export async function startJob(c: PanelContext, wanted: Wanted): Promise<FileJob> {
  const job = { ...wanted, id: randomBytes(16).toString('hex') } as NewJob;
  const states = filesOf(c).runJob(job);
  const first = await states.next();
  if (first.done === true) throw new FilesError('unavailable');
  const jobs = own.get(customerContext(c).actor.accountId) ?? new Map<string, FileJob>();
  own.set(customerContext(c).actor.accountId, jobs);
  const { accountId } = customerContext(c).actor;
  jobs.set(job.id, first.value);
  const ended = follow(states, jobs, first.value).finally(() => {
    setTimeout(() => {
      jobs.delete(job.id);
      if (jobs.size === 0) own.delete(accountId);
    }, KEPT_MS).unref();
  });
  const late = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS).unref());
  await Promise.race([ended, late]);
  const state = jobs.get(job.id) ?? first.value;
  if (state.state === 'failed') throw new FilesError(state.failure ?? 'io', { detail: state.detail });
  if (state.state === 'lost') throw new FilesError('lost');
  return state;
}

async function follow(
  states: AsyncGenerator<FileJob>,
  jobs: Map<string, FileJob>,
  first: FileJob,
): Promise<void> {
  let last = first;
  try {
    for await (const state of states) {
      last = state;
      jobs.set(state.id, state);
    }
    if (last.state === 'running') jobs.set(last.id, { ...last, state: 'lost' });
  } catch {
    jobs.set(last.id, { ...last, state: 'lost' });
  }
}

/** The jobs of the account, the newest first. A cancelled one is no longer there. */
export async function listJobs(c: PanelContext, files: FilesClient): Promise<FileJob[]> {
  const mine = own.get(customerContext(c).actor.accountId);
  const stored = await files.listJobs();
  return stored.map((job) => {
    const known = mine?.get(job.id);
    return known !== undefined && known.state !== 'running' ? known : job;
  });
}

export async function forgetJob(c: PanelContext, id: string): Promise<void> {
  await filesOf(c).forgetJob(id);
}
