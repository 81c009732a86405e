import { type FileJob, shownWirePath, wireParentOf } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { FilesError } from '../../files/index.ts';
import { useFormats, useTexts, useTranslate } from '../../language/use-texts.ts';
import { ButtonForm } from '../../ui/form.tsx';
import { Badge, Card, Live } from '../../ui/parts.tsx';
import { fileSize } from './file-size.ts';
import { filePages, sentenceOf } from './files.ts';
import { fileTexts } from './texts/index.ts';

/** Work in the background: its progress, its end, and how to cancel it. */
export function Jobs({ c, jobs, path }: { c: PanelContext; jobs: readonly FileJob[]; path: string }) {
  const texts = useTexts(fileTexts);
  return (
    <Live id="jobs" busy={jobs.some(({ state }) => state === 'running')} path={path} everyS={1}>
      {jobs.length === 0 ? null : (
        <Card title={texts.jobs}>
          <ul class="rows">
            {jobs.map((job) => (
              <Job c={c} job={job} />
            ))}
          </ul>
        </Card>
      )}
    </Live>
  );
}

function Job({ c, job }: { c: PanelContext; job: FileJob }) {
  const texts = useTexts(fileTexts);
  const { number } = useFormats();
  const { id, kind, path, state, result, skipped = 0 } = job;
  const name = path === '' ? texts.trash : shownWirePath(path);
  return (
    <li>
      <div class="grow">
        <p>{texts.jobOf(texts.jobKinds[kind], <b>{name}</b>)}</p>
        <JobState job={job} />
        {skipped === 0 ? null : <p class="muted">{texts.jobSkipped(number(skipped))}</p>}
      </div>
      {state === 'done' && result !== undefined && result !== '' ? (
        <a class="btn btn-small" href={filePages.browse(wireParentOf(result))}>
          {texts.openResult}
        </a>
      ) : null}
      <ButtonForm
        c={c}
        action="/files/jobs/forget"
        submit={state === 'running' ? texts.cancel : texts.hide}
        fields={{ id }}
      />
    </li>
  );
}

function JobState({ job }: { job: FileJob }) {
  const texts = useTexts(fileTexts);
  const translate = useTranslate();
  const formats = useFormats();
  const { state, done, total, unit, failure, detail } = job;
  const shown = (value: number) =>
    unit === 'bytes' ? fileSize(formats, value) : texts.items(formats.number(value));
  if (state === 'done') return <Badge tone="good">{texts.jobDone}</Badge>;
  if (state === 'running')
    return (
      <>
        <progress max={Math.max(1, total)} value={Math.min(done, total)} aria-label={texts.jobs} />
        <p class="muted">{total === 0 ? texts.jobStarting : texts.jobRunning(shown(done), shown(total))}</p>
      </>
    );
  const error = new FilesError(state === 'lost' ? 'lost' : (failure ?? 'io'), { detail });
  return <Badge tone="bad">{translate(sentenceOf(texts, error))}</Badge>;
}
