import { phpLimits } from '@innkeeper/contract';
import { setPhpLimits } from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { allowed, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { phpPage } from './php-page.tsx';
import { phpTexts } from './texts/index.ts';

/** What owners of sites can set for PHP. */
export function registerPhp(panel: Panel): void {
  panel.get('/php', allowed('php.limits'), (c) => phpPage(c));
  panel.post('/php', allowed('php.limits'), onSubmit(save, phpPage));
}

async function save(c: PanelContext): Promise<Response> {
  await setPhpLimits(operatorContext(c), fieldsOf(phpLimits, c.var.form));
  return goToWithNotice(c, '/php', textsFor(c, phpTexts).saved);
}
