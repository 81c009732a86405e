import { attachTerminal, attachToBox } from './box-exec.ts';
import { createGuest, type Guest } from './guest.ts';
import { execInGuest } from './guest-exec.ts';

/**
 * A hosting server on this machine: a system container with real systemd, in its own network namespace, on the bridge
 * of its state folder. It has the packages that box-rootfs.ts lists and nothing from Innkeeper. Commands run in it
 * outside of every systemd unit and slice.
 *
 * ```ts
 * const boxes = await openBoxes(await mountStateDir('.run-test/mine'));
 * const box = await boxes.start('web1');
 * const { stdout, exitCode } = await box.exec(['id', '-u', 'www-data']);
 * await box.require(['systemctl', 'start', 'cron']);      // throws unless the exit code is 0
 * await box.writeFile('/etc/motd', 'hello\n', { mode: 0o644 });
 * await box.copyIn('dist', '/root/dist');
 * await fetch(`http://${box.address}/`);
 * await boxes.remove('web1');
 * ```
 */
export interface Box extends Guest {
  /** The IPv4 address of the box. This machine and the other boxes of the state folder reach it. */
  readonly address: string;
  /** Runs a command on the terminal of this process and returns its exit code. */
  attach(argv: readonly string[]): Promise<number>;
}

export function createBox(boxesDir: string, name: string, address: string): Box {
  const toBox = attachToBox(boxesDir, name);
  return {
    ...createGuest(name, (argv, options) => execInGuest(name, toBox, argv, options)),
    address,
    attach: (argv) => attachTerminal(boxesDir, name, argv),
  };
}
