import type { Exec } from './exec.ts';

/** Sends notifications such as READY=1 to systemd. Throws HostError. */
export type Notify = (assignments: readonly string[]) => Promise<void>;

/**
 * Node.js cannot send the messages of sd_notify(3), so systemd's own program does. Undefined when no supervisor
 * listens.
 */
export function createNotify(socket: string | undefined, exec: Exec): Notify | undefined {
  if (socket === undefined) return undefined;
  return async (assignments) => {
    await exec.run('/usr/bin/systemd-notify', assignments, { variables: { NOTIFY_SOCKET: socket } });
  };
}
