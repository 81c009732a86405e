import { getCronJob, getHosting } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { render } from '../../language/use-texts.ts';
import { Confirm, freshForm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Facts, Live, Status } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { EnableForm } from './cron-page.tsx';
import { chosenSchedule, JobForm } from './job-form.tsx';
import { SchedulePreview, type ServerClock } from './schedule-preview.tsx';
import { cronTexts } from './texts/index.ts';

function above(c: PanelContext) {
  return [{ name: textsFor(c, cronTexts).cronJobs, path: '/cron' }];
}

async function hostingOf(c: PanelContext) {
  const ctx = customerContext(c);
  const { cron_jobs, server } = await getHosting(ctx, { account_id: ctx.actor.accountId });
  const clock: ServerClock = { now: ctx.now(), timeZone: server.time_zone };
  return { room: cron_jobs, clock };
}

/** The form of a new job. */
export async function newJobPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  const { room, clock } = await hostingOf(c);
  const canAdd = refused !== undefined || room.used < room.limit;
  return page(
    c,
    { title: texts.addOne, above: above(c), status: refused?.status ?? 200 },
    <Card title={texts.newJob}>
      <Room c={c} {...room} kinds="cron jobs" />
      {canAdd ? (
        <JobForm
          c={c}
          action="/cron"
          submit={texts.addIt}
          state={refused ?? freshForm({ schedule: '0 3 * * *' })}
          clock={clock}
        />
      ) : null}
    </Card>,
  );
}

/** A form of a job's page that was refused. */
export interface RefusedForm {
  form: 'change' | 'enable' | 'disable' | 'remove';
  state: Refused;
}

/** One job: its schedule, and the form that changes it. */
export async function jobPage(c: PanelContext, refused?: RefusedForm): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  const [job, { clock }] = await Promise.all([
    getCronJob(customerContext(c), { cron_job_id: recordId(c) }),
    hostingOf(c),
  ]);
  const { id, name, schedule, command, enabled, synced, updated_at } = job;
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const [changed, removal] = [refusedAs('change'), refusedAs('remove')];
  return page(
    c,
    { title: texts.titleOf(name), heading: name, above: above(c), status: refused?.state.status ?? 200 },
    <>
      <div class="half">
        <Card title={texts.schedule}>
          <Live id="now" busy={!synced} path={`/cron/${id}`}>
            <Facts
              facts={[
                [texts.state, <Status status={enabled ? 'enabled' : 'disabled'} />],
                [texts.schedule, <code>{schedule}</code>],
                [texts.lastChanged, <Ago at={updated_at} />],
              ]}
            />
            {synced ? null : <p>{texts.isApplying}</p>}
          </Live>
          {enabled ? <SchedulePreview schedule={schedule} clock={clock} /> : <p>{texts.isDisabled}</p>}
          <Refusal state={refusedAs('enable') ?? refusedAs('disable')} />
          <EnableForm c={c} job={job} />
        </Card>
        <Card title={texts.change}>
          <JobForm
            c={c}
            action={`/cron/${id}`}
            submit={texts.save}
            state={changed ?? freshForm({ name, schedule, command })}
            clock={changed === undefined ? undefined : clock}
          />
        </Card>
      </div>
      <Card title={texts.removeThis}>
        <Confirm
          c={c}
          action={`/cron/${id}/remove`}
          ask={texts.remove}
          submit={texts.removeIt}
          open={removal !== undefined}
        >
          <Refusal state={removal} />
          <p>{texts.removeWarning(name)}</p>
        </Confirm>
      </Card>
    </>,
  );
}

/** Preview of a schedule for a form that is not submitted yet. */
export async function schedulePreview(c: PanelContext): Promise<Response> {
  const { clock } = await hostingOf(c);
  const preview = <SchedulePreview schedule={chosenSchedule(c.req.query())} clock={clock} />;
  return c.html(render(c, preview));
}
