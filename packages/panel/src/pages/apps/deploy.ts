import { DomainError } from '@innkeeper/domain';
import { deployGit, deployZip, requireZipDeploy, rollbackApp } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { textOf, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { goToApp } from './go-to-app.ts';
import { appTexts } from './texts/index.ts';

/** Request paths of uploads. They have a longer timeout than other forms. */
export const UPLOAD_PATH = /^(?:\/as\/\d+)?\/(?:apps\/\d+\/deploy-zip|databases\/\d+\/import)\/?(?:\?|$)/;

/** Time to store an archive after it has arrived. */
const STORING_MS = 60_000;

/** Receives an archive as a stream, after it has checked that the app accepts archives. */
export async function deployUpload(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
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
  await waitForNode(c, written);
  const { onlyFolder } = written;
  const always = onlyFolder === undefined ? '' : texts.inOneFolder(onlyFolder);
  return await goToApp(c, app_id, { underWay: texts.uploaded, always });
}

/** Deploys the newest commit of the app's repository. */
export async function deployFromGit(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const app_id = recordId(c);
  const written = await deployGit(customerContext(c), { app_id });
  await waitForNode(c, written);
  return await goToApp(c, app_id, { underWay: texts.deployingCommit });
}

/** Makes an earlier release live again. */
export async function rollBack(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, appTexts);
  const app_id = recordId(c);
  const id = textOf(c.var.form, 'release_id');
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new DomainError('invalid', texts.chooseRelease);
  const written = await rollbackApp(customerContext(c), { app_id, release_id: Number(id) });
  await waitForNode(c, written);
  return await goToApp(c, app_id, { underWay: texts.rollingBack });
}
