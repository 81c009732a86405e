import type { Panel } from '../../env.ts';
import { customer } from '../../http/session.ts';
import { dashboard } from './dashboard.tsx';

const sentences = {
  '/files':
    'There is no file manager in this panel yet. Until there is, files get here as an app’s archive or Git repository, or by SSH where the account has terminal access.',
  '/terminal':
    'There is no terminal in this panel yet. Where the account has terminal access, it is reached by SSH: see below.',
  '/backups':
    'There are no backups in this panel yet. Keep copies of your files and databases elsewhere until there are.',
} as const;

/** Where links lead to what does not exist yet: the dashboard, which says so. */
export function registerDashboard(panel: Panel): void {
  for (const [path, sentence] of Object.entries(sentences))
    panel.get(path, customer, (c) => dashboard(c, sentence));
}
