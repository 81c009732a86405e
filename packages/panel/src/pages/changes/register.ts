import type { Panel } from '../../env.ts';
import { operator } from '../../http/session.ts';
import { changePage } from './change-page.tsx';
import { changesPage } from './changes-page.tsx';

/** Changes of many accounts that run in the background. */
export function registerChanges(panel: Panel): void {
  panel.get('/changes', operator, changesPage);
  panel.get('/changes/:id{[1-9][0-9]{0,14}}', operator, changePage);
}
