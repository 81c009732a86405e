export const APP_SOCKET_FOLDER = '/run/innkeeper/apps';

/** Path of the socket on which an app's program answers nginx. */
export function appSocketPath(appId: number): string {
  return `${APP_SOCKET_FOLDER}/${appId}.sock`;
}
