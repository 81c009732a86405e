import { mailSettings } from '@innkeeper/contract';
import { removeMailSettings, sendTestMail, setMailSettings } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { goToWithNotice } from '../../http/redirect.ts';
import { allowed, operatorContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { mailPage } from './mail-page.tsx';
import { mailTexts } from './texts/index.ts';

/** The mail server of the installation, and its outbox. */
export function registerMail(panel: Panel): void {
  panel.get('/mail', allowed('mail.set'), (c) => mailPage(c));
  panel.post('/mail', allowed('mail.set'), proven, onSubmit(save, mailPage));
  panel.post('/mail/test', allowed('mail.test'), onSubmit(test, mailPage));
  panel.post('/mail/remove', allowed('mail.remove'), proven, onSubmit(remove, mailPage));
}

async function save(c: PanelContext): Promise<Response> {
  const { form } = c.var;
  // The page that confirms the identity carries no passwords. Without this the stored one would silently stay.
  const isLost = form.username !== undefined && form.username !== '' && form.smtp_password === undefined;
  const input = fieldsOf(
    mailSettings,
    form,
    isLost ? { smtp_password: [textsFor(c, mailTexts).passwordLost] } : {},
  );
  await setMailSettings(operatorContext(c), { ...input, ports: c.var.deps.smtpPorts });
  return goToWithNotice(c, '/mail', textsFor(c, mailTexts).saved);
}

async function test(c: PanelContext): Promise<Response> {
  await sendTestMail(operatorContext(c), { language: languageOf(c) });
  return goToWithNotice(c, '/mail', textsFor(c, mailTexts).testQueued);
}

async function remove(c: PanelContext): Promise<Response> {
  await removeMailSettings(operatorContext(c));
  return goToWithNotice(c, '/mail', textsFor(c, mailTexts).removed);
}
