import type { Panel } from '../../env.ts';
import { customer } from '../../http/session.ts';
import { dashboard } from './dashboard.tsx';

const sentences = {
  '/files':
    'This panel has no file manager yet. Deploy files with an app from a ZIP archive or from Git, or copy them over SSH if the account has terminal access.',
  '/terminal': 'This panel has no terminal yet. If the account has terminal access, use SSH: see below.',
  '/backups': 'This panel has no backups yet. Keep copies of your files and databases elsewhere.',
} as const;

/** Login links can point to pages that do not exist yet. These show the dashboard with a message. */
export function registerDashboard(panel: Panel): void {
  for (const [path, sentence] of Object.entries(sentences))
    panel.get(path, customer, (c) => dashboard(c, sentence));
}
