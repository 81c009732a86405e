import type { Config } from './config.ts';

/**
 * Returns a sentence for each setting that weakens security: for the log at the start, and for admins on the servers'
 * page.
 */
export function settingWarnings({ http, isPlainAllowed }: Pick<Config, 'http' | 'isPlainAllowed'>): string[] {
  if (!isPlainAllowed) return [];
  return [
    `INNKEEPER_HTTP_PLAIN allows HTTP without encryption on ${http.host} port ${http.port}: passwords and tokens can be ` +
      'read on the way unless a proxy in front speaks HTTPS.',
  ];
}
