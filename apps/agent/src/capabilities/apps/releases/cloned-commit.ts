import { readCommit } from '@innkeeper/domain';
import type { AppSpec } from '@innkeeper/protocol';
import { z } from 'zod';
import type { Owner } from '../../../node/owner.ts';
import type { Host } from '../../host.ts';
import type { TaskCommit } from '../task/job.ts';
import { wantedRelease } from './app-view.ts';
import type { AppRecord } from './host.ts';

/** Untrusted: written by the tenant. Anything that does not match the schema is ignored. */
const noteSchema: z.ZodType<TaskCommit> = z.strictObject({
  release: z.string(),
  hash: z.string(),
  author: z.string(),
  subject: z.string(),
});

/** Returns the record with the commit that the last task cloned for the wanted release, or as it is. */
export async function withCommit(
  record: AppRecord,
  app: AppSpec,
  owner: Owner,
  host: Host,
): Promise<AppRecord> {
  if (app.release?.source !== 'git') return record;
  const release = wantedRelease(app);
  const note = readNote(await host.appFiles.readCommit(owner, app.app_id));
  const commit = note?.release === release ? readCommit(note) : undefined;
  return commit === undefined ? record : { ...record, commit: { release, ...commit } };
}

function readNote(written: string): TaskCommit | undefined {
  try {
    return noteSchema.safeParse(JSON.parse(written)).data;
  } catch {
    return undefined;
  }
}
