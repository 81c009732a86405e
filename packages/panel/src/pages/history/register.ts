import type { Panel } from '../../env.ts';
import { customer, operator } from '../../http/session.ts';
import { accountUsagePage, ownUsagePage } from './usage-pages.tsx';

/** Pages with the usage of an account over time: the customer's own, and those that an operator sees. */
export function registerHistory(panel: Panel): void {
  panel.get('/usage', customer, ownUsagePage);
  panel.get('/accounts/:id{[1-9][0-9]{0,14}}/usage', operator, accountUsagePage);
}
