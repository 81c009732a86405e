export const APP_SOCKET_FOLDER = '/run/innkeeper/apps';

/** Where the program of an app answers nginx. */
export function appSocketPath(appId: number): string {
  return `${APP_SOCKET_FOLDER}/${appId}.sock`;
}
