/** Where the program of an app answers nginx. */
export function appSocketPath(appId: number): string {
  return `/run/innkeeper/apps/${appId}.sock`;
}
