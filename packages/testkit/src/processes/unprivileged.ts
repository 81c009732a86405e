/** The command that runs `argv` as a system user of the same-named group, without any capability or way to gain one. */
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
