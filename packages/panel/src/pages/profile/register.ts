import { ownProfile } from '@innkeeper/contract';
import { setOwnProfile } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit } from '../../http/form.ts';
import { proven } from '../../http/proof.tsx';
import { goToWithNotice } from '../../http/redirect.ts';
import { signedIn, userContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { profilePage } from './profile-page.tsx';
import { profileTexts } from './texts/index.ts';

/** A user's own name and email address, for every role. */
export function registerProfile(panel: Panel): void {
  panel.get('/profile', signedIn, (c) => profilePage(c));
  panel.post('/profile', signedIn, proven, onSubmit(save, profilePage));
}

async function save(c: PanelContext): Promise<Response> {
  await setOwnProfile(userContext(c), fieldsOf(ownProfile, c.var.form));
  return goToWithNotice(c, '/security', textsFor(c, profileTexts).saved);
}
