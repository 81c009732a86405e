import type { Panel } from '../../env.ts';
import { goTo, signedIn } from '../../http/session.ts';
import { dashboard } from '../dashboard/dashboard.tsx';

/** The first page: a customer's dashboard, or an operator's accounts. */
export function registerHome(panel: Panel): void {
  panel.get('/', signedIn, (c) =>
    c.var.signedInAs?.user.role === 'user' ? dashboard(c) : goTo(c, '/accounts'),
  );
}
