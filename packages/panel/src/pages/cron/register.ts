import { endpoints } from '@innkeeper/contract';
import {
  type CronJobView,
  createCronJob,
  removeCronJob,
  updateCronJob,
  type Written,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { cronPage } from './cron-page.tsx';
import { chosenSchedule } from './job-form.tsx';
import { jobPage, newJobPage, type RefusedForm, schedulePreview } from './job-page.tsx';
import { cronTexts } from './texts/index.ts';

/** The customer's cron jobs. */
export function registerCron(panel: Panel): void {
  panel.get('/cron', customer, (c) => cronPage(c));
  panel.get('/cron/new', customer, (c) => newJobPage(c));
  panel.get('/cron/preview', customer, (c) => schedulePreview(c));
  panel.post('/cron', customer, onSubmit(add, newJobPage));

  panel.get('/cron/:id', customer, (c) => jobPage(c));
  const onRecord = (path: string, form: RefusedForm['form'], run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/cron/:id${path}`,
      customer,
      onSubmit(run, (c, state) => jobPage(c, { form, state })),
    );
  onRecord('', 'change', change);
  onRecord('/enable', 'enable', (c) => enable(c, true));
  onRecord('/disable', 'disable', (c) => enable(c, false));
  onRecord('/remove', 'remove', remove);
}

async function add(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  const ctx = customerContext(c);
  const hosting_account_id = ctx.actor.accountId;
  const fields = { ...c.var.form, schedule: chosenSchedule(c.var.form), hosting_account_id };
  const { name, schedule, command } = fieldsOf(endpoints.createCronJob.body, fields);
  const written = await createCronJob(ctx, { hosting_account_id, name, schedule, command });
  return await saved(c, written, texts.wasAdded);
}

async function change(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  const { form } = c.var;
  const fields = { name: form.name, command: form.command, schedule: chosenSchedule(form) };
  const { name, schedule, command } = fieldsOf(endpoints.updateCronJob.body, fields);
  const job = { cron_job_id: recordId(c), name, schedule, command };
  return await saved(c, await updateCronJob(customerContext(c), job), texts.wasChanged);
}

async function enable(c: PanelContext, enabled: boolean): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  const written = await updateCronJob(customerContext(c), { cron_job_id: recordId(c), enabled });
  return await saved(c, written, enabled ? texts.wasEnabled : texts.wasDisabled);
}

async function saved(
  c: PanelContext,
  written: Written<CronJobView>,
  said: (name: string) => string,
): Promise<Response> {
  await waitForNode(c, written);
  const { id, name } = written.view;
  return goToWithNotice(c, `/cron/${id}`, said(name));
}

async function remove(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, cronTexts);
  await waitForNode(c, await removeCronJob(customerContext(c), { cron_job_id: recordId(c) }));
  return goToWithNotice(c, '/cron', texts.wasRemoved);
}
