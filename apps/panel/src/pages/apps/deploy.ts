import { DomainError } from '@innkeeper/domain';
import { deployGit, deployZip, requireZipDeploy, rollbackApp } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { settle, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';

/** What is left to do once an archive has arrived. */
const STORING_MS = 60_000;

/** Takes an archive as it comes; none of it before it is known that the app may have it. */
export async function deployUpload(c: PanelContext): Promise<Response> {
  const ctx = customerContext(c);
  const app_id = recordId(c);
  await requireZipDeploy(ctx, { app_id });
  const { uploads } = c.var.deps;
  c.var.extendDeadline(uploads.timeoutMs + STORING_MS);
  const form = {
    contentType: c.req.header('Content-Type'),
    contentLength: c.req.header('Content-Length'),
    body: c.req.raw.body,
  };
  await using archive = await uploads.receive(form, { field: 'archive', accountId: ctx.actor.accountId });
  const written = await deployZip(ctx, { app_id, archive });
  await settle(c, written);
  return goToWithNotice(c, `/apps/${app_id}`, 'The archive has arrived and is being put in place.');
}

/** Fetches what the app's repository has now. */
export async function deployFromGit(c: PanelContext): Promise<Response> {
  const app_id = recordId(c);
  const written = await deployGit(customerContext(c), { app_id });
  await settle(c, written);
  return goToWithNotice(c, `/apps/${app_id}`, 'The newest commit is being fetched and put in place.');
}

/** Has a release serve again that served before. */
export async function rollBack(c: PanelContext): Promise<Response> {
  const app_id = recordId(c);
  const id = textOf(c.var.form, 'release_id');
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError('invalid', 'Choose the release to roll back to.');
  const written = await rollbackApp(customerContext(c), { app_id, release_id: Number(id) });
  await settle(c, written);
  return goToWithNotice(c, `/apps/${app_id}`, 'The app goes back to that release.');
}
