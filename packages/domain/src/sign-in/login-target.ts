/** The targets of login links, and the panel's page for each. The only list of both. */
const pages = {
  dashboard: '/',
  apps: '/apps',
  domains: '/sites',
  databases: '/databases',
  cron: '/cron',
  files: '/files',
  terminal: '/terminal',
  backups: '/backups',
  app: '/apps',
} as const;

export type LoginTarget = keyof typeof pages;
export const loginTargets = Object.keys(pages) as LoginTarget[];

/** The destination of a login link. An id that does not belong to the target is kept and not used. */
export interface LoginDestination {
  target: LoginTarget;
  app_id: number | null;
  domain_id: number | null;
}

/** The path of the page, below the panel's own URL. */
export function panelPath({ target, app_id, domain_id }: LoginDestination): string {
  const record = { app: app_id, domains: domain_id }[target as string] ?? null;
  return record === null ? pages[target] : `${pages[target]}/${record}`;
}
