import { nextCronRuns, readCronSchedule } from '@innkeeper/domain';
import { scheduleWords } from './schedule-words.ts';

const RUNS = 3;

/** What a job is run by: the clock of its server. */
export interface ServerClock {
  now: Date;
  /** An IANA name; null where the server has not said it. */
  timeZone: string | null;
}

/** A schedule in words, with its next runs; nothing for what is no schedule. */
export function SaidSchedule({ schedule: typed, clock }: { schedule: string; clock: ServerClock }) {
  const schedule = readCronSchedule(typed);
  if (schedule === undefined) return null;
  const words = scheduleWords(schedule);
  return (
    <div class="said">
      {words === undefined ? null : <p>{`${words}.`}</p>}
      <NextRuns schedule={schedule} clock={clock} />
    </div>
  );
}

function NextRuns({ schedule, clock: { now, timeZone } }: { schedule: string; clock: ServerClock }) {
  if (timeZone === null)
    return <p class="soft">When it runs next is told once the server has said its time zone.</p>;
  const runs = nextCronRuns(schedule, { after: now, count: RUNS, timeZone });
  if (runs.length === 0) return <p class="soft">There is no such day: it would never run.</p>;
  const said = runFormat(timeZone);
  return (
    <>
      <p class="soft">{`Next runs, by the clock of the server (${timeZone}):`}</p>
      <ol>
        {runs.map((run) => (
          <li>
            <time datetime={run.toISOString()}>{said.format(run)}</time>
          </li>
        ))}
      </ol>
    </>
  );
}

/** When a job runs next, in few words. */
export function NextRun({ schedule, clock: { now, timeZone } }: { schedule: string; clock: ServerClock }) {
  const run = timeZone === null ? undefined : nextCronRuns(schedule, { after: now, count: 1, timeZone })[0];
  if (run === undefined) return <>{timeZone === null ? 'not known yet' : 'never'}</>;
  return <time datetime={run.toISOString()}>{runFormat(timeZone ?? 'UTC').format(run)}</time>;
}

function runFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
}
