import { statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';

/** Counters of the processors since the boot, and what is in use now. */
export interface ServerLoad {
  readonly cpuBusyMs: number;
  readonly cpuTotalMs: number;
  /** Without what the kernel can give back at once. */
  readonly memoryUsedBytes: number;
  readonly memoryBytes: number;
  /** Of the file system of /home. */
  readonly diskUsedBytes: number;
  readonly diskBytes: number;
  /** Average of one minute. */
  readonly load: number;
}

/** Reads what this server does. Rejects when the file system of /home cannot be read. */
export async function readServerLoad(): Promise<ServerLoad> {
  const home = await statfs('/home');
  const times = cpus().map((cpu) => cpu.times);
  const sum = (value: (of: (typeof times)[number]) => number) =>
    times.reduce((total, of) => total + value(of), 0);
  const cpuBusyMs = sum(({ user, nice, sys, irq }) => user + nice + sys + irq);
  return {
    cpuBusyMs,
    cpuTotalMs: cpuBusyMs + sum(({ idle }) => idle),
    memoryUsedBytes: totalmem() - freemem(),
    memoryBytes: totalmem(),
    diskUsedBytes: (home.blocks - home.bfree) * home.bsize,
    diskBytes: home.blocks * home.bsize,
    load: loadavg()[0] ?? 0,
  };
}
