import type { Panel } from '../../env.ts';
import { customer, operator } from '../../http/session.ts';
import { accountMailPage, ownMailPage } from './sent-mail-page.tsx';

/** What the programs of an account sent: the customer's own page, and the one that an operator sees. */
export function registerSentMail(panel: Panel): void {
  panel.get('/sent-mail', customer, ownMailPage);
  panel.get('/accounts/:id{[1-9][0-9]{0,14}}/mail', operator, accountMailPage);
}
