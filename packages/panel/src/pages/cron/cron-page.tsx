import { endpoints } from '@innkeeper/contract';
import { type CronJobListItem, getHosting, listCronJobs } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { fieldsOf } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useLanguage, useTexts } from '../../language/use-texts.ts';
import { ButtonForm } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Pages, Status, Table } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { NextRun, type ServerClock } from './schedule-preview.tsx';
import { scheduleWords } from './schedule-words.ts';
import { cronTexts } from './texts/index.ts';

/** The cron jobs of the account. */
export async function cronPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  const ctx = customerContext(c);
  const account_id = ctx.actor.accountId;
  const wanted = fieldsOf(endpoints.listCronJobs.query, { page: c.req.query('page') });
  const [list, { cron_jobs: room, server }] = await Promise.all([
    listCronJobs(ctx, { ...wanted, hosting_account_id: account_id }),
    getHosting(ctx, { account_id }),
  ]);
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const clock: ServerClock = { now: ctx.now(), timeZone: server.time_zone };
  return page(
    c,
    {
      title: texts.cronJobs,
      actions:
        room.used < room.limit ? (
          <a class="btn btn-primary" href="/cron/new">
            {texts.addOne}
          </a>
        ) : undefined,
    },
    <Card title={texts.yours}>
      {list.total === 0 ? <Empty>{texts.noneYet}</Empty> : <JobTable c={c} jobs={list.items} clock={clock} />}
      <Pages path="/cron" {...list} />
      {clock.timeZone === null || list.total === 0 ? null : (
        <p class="muted">{texts.timeZone(clock.timeZone)}</p>
      )}
      <Room c={c} {...room} kinds="cron jobs" />
    </Card>,
  );
}

function JobTable({
  c,
  jobs,
  clock,
}: {
  c: PanelContext;
  jobs: readonly CronJobListItem[];
  clock: ServerClock;
}) {
  const texts = useTexts(cronTexts);
  return (
    <Table
      caption={texts.cronJobs}
      headings={[texts.name, texts.when, texts.nextRun, texts.command, texts.state, '']}
      rows={jobs.map((job) => {
        const { id, name, schedule, command, enabled } = job;
        return [
          <a href={`/cron/${id}`}>{name}</a>,
          <>
            {scheduleWords(schedule, useLanguage()) ?? ''} <code>{schedule}</code>
          </>,
          enabled ? <NextRun schedule={schedule} clock={clock} /> : texts.noRun,
          <code>{command}</code>,
          <Status status={enabled ? 'enabled' : 'disabled'} />,
          <EnableForm c={c} job={job} />,
        ];
      })}
    />
  );
}

/** Button that enables or disables a job. */
export function EnableForm({
  c,
  job: { id, name, enabled },
}: {
  c: PanelContext;
  job: Pick<CronJobListItem, 'id' | 'name' | 'enabled'>;
}) {
  const texts = useTexts(cronTexts);
  return (
    <ButtonForm
      c={c}
      action={`/cron/${id}/${enabled ? 'disable' : 'enable'}`}
      submit={enabled ? texts.disable : texts.enable}
      label={enabled ? texts.disableThis(name) : texts.enableThis(name)}
    />
  );
}
