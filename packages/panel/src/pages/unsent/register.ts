import type { Panel, PanelContext } from '../../env.ts';
import { goTo } from '../../http/redirect.ts';
import { leadToSignIn, signedIn } from '../../http/session.ts';
import { findUnsentForm, keepUnsentForm, UNSENT_PAGE, unsentFormOf } from '../../http/unsent-form.ts';
import { textsFor } from '../../language/language.ts';
import { unsentTexts } from './texts/index.ts';
import { unsentPage } from './unsent-page.tsx';

/** A form that arrived after its session had ended can be sent again after the sign-in. */
export function registerUnsent(panel: Panel): void {
  panel.get(UNSENT_PAGE, signedIn, (c) => {
    const form = findUnsentForm(c);
    return form === undefined ? goTo(c, '/') : unsentPage(c, form);
  });
}

/**
 * Answers a form of this panel whose session has ended: asks a user who has signed in since then to send it again, and
 * anybody else to sign in first. Undefined for a form without fields.
 */
export async function answerExpiredForm(c: PanelContext): Promise<Response | undefined> {
  const form = unsentFormOf(c);
  if (form === undefined) return undefined;
  if (c.var.signedInAs !== undefined) return unsentPage(c, form, 403);
  const texts = textsFor(c, unsentTexts);
  return keepUnsentForm(c, form)
    ? await leadToSignIn(c, { next: UNSENT_PAGE, sentence: texts.signIn })
    : await leadToSignIn(c, { next: '/', sentence: texts.tooLarge });
}
