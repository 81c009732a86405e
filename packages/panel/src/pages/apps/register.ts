import { createApp, getApp, removeApp, retryAccount, startApp, stopApp } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { onSubmit, textOf, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goTo, goToWithNotice } from '../../http/redirect.ts';
import { customer, customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { appPage, type RefusedForm } from './app-page.tsx';
import { appsPage } from './apps-page.tsx';
import { deployFromGit, deployUpload, rollBack } from './deploy.ts';
import { goToApp } from './go-to-app.ts';
import { atFormFields, readInstall, variablesOf } from './install-fields.ts';
import { installPage } from './install-page.tsx';
import { logPage } from './log-page.tsx';
import { turnPushOff, turnPushOn } from './push-hook.tsx';
import { saveSettings } from './settings.ts';
import { settingsPage } from './settings-page.tsx';
import { appTexts } from './texts/index.ts';

/** The customer's apps. */
export function registerApps(panel: Panel): void {
  panel.get('/apps', customer, (c) => appsPage(c));
  panel.get('/apps/new', customer, (c) => installPage(c));
  panel.post('/apps', customer, onSubmit(install, installPage));

  panel.get('/apps/:id', customer, (c) => appPage(c));
  panel.get('/apps/:id/log', customer, (c) => logPage(c, 'log'));
  panel.get('/apps/:id/build-log', customer, (c) => logPage(c, 'build-log'));
  panel.get('/apps/:id/settings', customer, (c) => settingsPage(c));
  panel.post('/apps/:id/settings', customer, onSubmit(saveSettings, settingsPage));
  const onRecord = (form: RefusedForm['form'], run: (c: PanelContext) => Promise<Response>) =>
    panel.post(
      `/apps/:id/${form}`,
      customer,
      onSubmit(run, (c, state) => appPage(c, { form, state })),
    );
  onRecord('start', start);
  onRecord('stop', stop);
  onRecord('retry', retry);
  onRecord('roll-back', rollBack);
  onRecord('deploy-zip', deployUpload);
  onRecord('deploy-git', deployFromGit);
  onRecord('push-on', turnPushOn);
  onRecord('push-off', turnPushOff);
  onRecord('remove', remove);
}

async function install(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const ctx = customerContext(c);
  const template = ctx.appTemplates.get(textOf(c.var.form, 'template_key'));
  try {
    const written = await createApp(ctx, readInstall(c.var.form, ctx.actor.accountId, texts));
    await waitForNode(c, written);
    const { id, name } = written.view;
    return await goToApp(c, id, { underWay: texts.isBeingInstalled(name) });
  } catch (error) {
    throw atFormFields(error, variablesOf(template));
  }
}

async function start(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const written = await startApp(customerContext(c), { app_id: recordId(c) });
  await waitForNode(c, written);
  const { id, name } = written.view;
  return await goToApp(c, id, { underWay: texts.isStarting(name) });
}

/** The failure of an archive has deleted the archive: only a new upload helps. */
async function retry(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const { id } = await getApp(ctx, { app_id: recordId(c) });
  await waitForNode(c, await retryAccount(ctx, { account_id: ctx.actor.accountId }));
  return goTo(c, `/apps/${id}`);
}

async function stop(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const written = await stopApp(customerContext(c), { app_id: recordId(c) });
  await waitForNode(c, written);
  const { id, name } = written.view;
  return await goToApp(c, id, { underWay: texts.isStopping(name) });
}

async function remove(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const removal = await removeApp(customerContext(c), { app_id: recordId(c) });
  const outcome = await waitForNode(c, removal);
  return goToWithNotice(c, '/apps', outcome === 'applied' ? texts.wasRemoved : texts.removing);
}
