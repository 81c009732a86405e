import { readCronSchedule } from '@innkeeper/domain';
import type { AccountSpec } from '@innkeeper/protocol';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { refused } from '../../node/host-error.ts';

/**
 * The account's table for cron. Each line contains a schedule, the user, our runner and the id of a job. The schedule
 * is the only untrusted part, and it consists only of the characters of a schedule. If cron cannot parse one line, it
 * ignores the whole file. So this module refuses every schedule that cron would not accept.
 */
const RUNNER = '/usr/lib/innkeeper/run-cron-job';
const USER = /^[a-z_][a-z0-9_-]{2,31}$/;

/** Returns undefined when no job should run. Throws HostError `Refused`. */
export function cronTable(spec: AccountSpec): string | undefined {
  const jobs = spec.cron_jobs.filter((job) => job.enabled);
  if (spec.desired_state !== 'active' || jobs.length === 0) return undefined;
  if (!USER.test(spec.linux_user)) throw refused('The username is not allowed in a crontab.');
  return [
    `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.`,
    'SHELL=/bin/sh',
    'MAILTO=""',
    ...jobs.map(({ cron_job_id, schedule }) => {
      if (readCronSchedule(schedule) !== schedule)
        throw refused(`Cron does not accept the schedule of job ${cron_job_id}.`);
      return `${schedule} ${spec.linux_user} ${RUNNER} ${cron_job_id}`;
    }),
    '',
  ].join('\n');
}
