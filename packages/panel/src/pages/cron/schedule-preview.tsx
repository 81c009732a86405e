import { nextCronRuns, readCronSchedule } from '@innkeeper/domain';
import { locales } from '../../language/formats.ts';
import type { Language } from '../../language/language.ts';
import { useLanguage, useTexts } from '../../language/use-texts.ts';
import { scheduleWords } from './schedule-words.ts';
import { cronTexts } from './texts/index.ts';

const RUNS = 3;

/** The clock of the server that runs a job. */
export interface ServerClock {
  now: Date;
  /** IANA name of the time zone. Null: the server has not reported it. */
  timeZone: string | null;
}

/** A schedule in words with its next runs. Shows nothing for an invalid schedule. */
export function SchedulePreview({ schedule: typed, clock }: { schedule: string; clock: ServerClock }) {
  const schedule = readCronSchedule(typed);
  if (schedule === undefined) return null;
  const words = scheduleWords(schedule, useLanguage());
  return (
    <div class="schedule">
      {words === undefined ? null : <p>{`${words}.`}</p>}
      <NextRuns schedule={schedule} clock={clock} />
    </div>
  );
}

function NextRuns({ schedule, clock: { now, timeZone } }: { schedule: string; clock: ServerClock }) {
  const texts = useTexts(cronTexts);
  if (timeZone === null) return <p class="muted">{texts.noZoneYet}</p>;
  const runs = nextCronRuns(schedule, { after: now, count: RUNS, timeZone });
  if (runs.length === 0) return <p class="muted">{texts.neverRuns}</p>;
  const format = runFormat(timeZone, useLanguage());
  return (
    <>
      <p class="muted">{texts.nextRuns(timeZone)}</p>
      <ol>
        {runs.map((run) => (
          <li>
            <time datetime={run.toISOString()}>{format.format(run)}</time>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The next run of a job. */
export function NextRun({ schedule, clock: { now, timeZone } }: { schedule: string; clock: ServerClock }) {
  const texts = useTexts(cronTexts);
  const language = useLanguage();
  const run = timeZone === null ? undefined : nextCronRuns(schedule, { after: now, count: 1, timeZone })[0];
  if (run === undefined) return <>{timeZone === null ? texts.notKnown : texts.never}</>;
  return <time datetime={run.toISOString()}>{runFormat(timeZone ?? 'UTC', language).format(run)}</time>;
}

function runFormat(timeZone: string, language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locales[language], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
}
