/**
 * Returns the command that runs `argv` as a system user with the group of the same name, without any capability and
 * without a way to gain one.
 */
export function unprivileged(user: string, argv: readonly string[]): string[] {
  return [
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs',
    '--',
    ...argv,
  ];
}
