import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlaneKeys, readKeyFolder } from '@innkeeper/protocol/keys';
import { freePort } from '../processes/port.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { makeTestKeys, type TestKeysOptions } from './test-keys.ts';

export interface TestNats {
  /** `tls://127.0.0.1:port` */
  url: string;
  /** A key folder of its own, whose keys other servers of the run may have. */
  keysDir: string;
  keys: ControlPlaneKeys;
  /** Stops the server. `start` starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it permanently and removes its folder. */
  remove(): Promise<void>;
}

/** Starts a real NATS server with TLS and JWT users on loopback. It ends with this process. */
export async function startTestNats(options: TestKeysOptions = {}): Promise<TestNats> {
  const dir = await mkdtemp(join(tmpdir(), 'innkeeper-nats-'));
  const port = await freePort();
  const natsConfigFile = await makeTestKeys(dir, port, options);
  let server: ChildProcess | undefined;
  const kill = () => void server?.kill('SIGKILL');
  process.once('exit', kill);

  const stop = async () => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill('SIGTERM');
    await once(running, 'exit');
  };
  const start = async () => {
    if (server !== undefined) return;
    const started = spawn('/usr/sbin/nats-server', ['-c', natsConfigFile, '-a', '127.0.0.1'], {
      stdio: 'ignore',
    });
    server = started;
    await waitUntil('the NATS server of this test', () => {
      if (started.exitCode !== null) throw new Error(`it ended with exit code ${started.exitCode}`);
      return accepts(port);
    });
  };
  await start();
  return {
    url: `tls://127.0.0.1:${port}`,
    keysDir: dir,
    keys: readKeyFolder(dir),
    stop,
    start,
    remove: async () => {
      await stop();
      process.removeListener('exit', kill);
      await rm(dir, { recursive: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
