import { type ServiceWarning, serviceWarnings } from '@innkeeper/protocol';
import type { NodeView } from './node-view.ts';

export interface ServiceState {
  name: string;
  running: boolean;
}

const names: Readonly<Record<ServiceWarning, string>> = {
  NGINX_DOWN: 'nginx',
  DATABASE_SERVER_DOWN: 'MariaDB',
  CRON_DOWN: 'cron',
  SSHD_DOWN: 'sshd',
};

/** The services that accounts need, as of the last heartbeat. Null: the server is not online, so nothing is known. */
export function listServices({
  online,
  warnings,
}: Pick<NodeView, 'online' | 'warnings'>): ServiceState[] | null {
  if (!online) return null;
  return serviceWarnings.map((code) => ({ name: names[code], running: !warnings.includes(code) }));
}
