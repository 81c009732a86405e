import type { Exec } from './exec.ts';

/** Tells systemd things like READY=1. Throws HostError. */
export type Notify = (assignments: readonly string[]) => Promise<void>;

/** Node cannot send what sd_notify(3) sends, so systemd's own program does. Undefined when nobody listens. */
export function createNotify(socket: string | undefined, exec: Exec): Notify | undefined {
  if (socket === undefined) return undefined;
  return async (assignments) => {
    await exec.run('/usr/bin/systemd-notify', assignments, { variables: { NOTIFY_SOCKET: socket } });
  };
}
