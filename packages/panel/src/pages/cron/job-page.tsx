import { getCronJob, getHosting } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { render } from '../../language/use-texts.ts';
import { Confirm, freshForm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Ago, Card, Facts, Live, Status } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { EnableForm } from './cron-page.tsx';
import { chosenSchedule, JobForm } from './job-form.tsx';
import { SchedulePreview, type ServerClock } from './schedule-preview.tsx';

const above = [{ name: 'Cron jobs', path: '/cron' }];

async function hostingOf(c: PanelContext) {
  const ctx = customerContext(c);
  const { cron_jobs, server } = await getHosting(ctx, { account_id: ctx.actor.accountId });
  const clock: ServerClock = { now: ctx.now(), timeZone: server.time_zone };
  return { room: cron_jobs, clock };
}

/** The form of a new job. */
export async function newJobPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const { room, clock } = await hostingOf(c);
  const canAdd = refused !== undefined || room.used < room.limit;
  return page(
    c,
    { title: 'Add a cron job', above, status: refused?.status ?? 200 },
    <Card title="New cron job">
      <Room {...room} kinds="cron jobs" />
      {canAdd ? (
        <JobForm
          c={c}
          action="/cron"
          submit="Add the cron job"
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
  const [job, { clock }] = await Promise.all([
    getCronJob(customerContext(c), { cron_job_id: recordId(c) }),
    hostingOf(c),
  ]);
  const { id, name, schedule, command, enabled, synced, updated_at } = job;
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused.state : undefined);
  const [changed, removal] = [refusedAs('change'), refusedAs('remove')];
  return page(
    c,
    { title: `Cron job ${name}`, heading: name, above, status: refused?.state.status ?? 200 },
    <>
      <div class="half">
        <Card title="Schedule">
          <Live id="now" busy={!synced} path={`/cron/${id}`}>
            <Facts
              facts={[
                ['State', <Status status={enabled ? 'enabled' : 'disabled'} />],
                ['Schedule', <code>{schedule}</code>],
                ['Last changed', <Ago at={updated_at} />],
              ]}
            />
            {synced ? null : <p>The server is still applying the last change.</p>}
          </Live>
          {enabled ? (
            <SchedulePreview schedule={schedule} clock={clock} />
          ) : (
            <p>The job is disabled. It does not run until you enable it.</p>
          )}
          <Refusal state={refusedAs('enable') ?? refusedAs('disable')} />
          <EnableForm c={c} job={job} />
        </Card>
        <Card title="Change the cron job">
          <JobForm
            c={c}
            action={`/cron/${id}`}
            submit="Save"
            state={changed ?? freshForm({ name, schedule, command })}
            clock={changed === undefined ? undefined : clock}
          />
        </Card>
      </div>
      <Card title="Remove this cron job">
        <Confirm
          c={c}
          action={`/cron/${id}/remove`}
          ask="Remove the cron job"
          submit="Remove it"
          open={removal !== undefined}
        >
          <Refusal state={removal} />
          <p>{`The server stops running ${name} and removes it from this list. Files that the job created stay.`}</p>
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
