import { readFileSync } from 'node:fs';
import { Changes } from '../../src/host/changes.ts';
import { DiskScan } from '../../src/host/disk-scan.ts';
import { Exec } from '../../src/host/exec.ts';
import type { StoredThings } from '../../src/host/host.ts';

/** What is to be done on the server that this runs on, with the tools of its agent. */
export interface DiskQuotaJob {
  measure: readonly StoredThings[];
}

/** As JSON on standard output. */
export interface DiskQuotaAnswer {
  /** Uids and bytes. */
  measured: [number, number][];
}

const job = JSON.parse(readFileSync(0, 'utf8')) as DiskQuotaJob;
const scan = new DiskScan(new Exec(new Changes()), async () => '/var/lib/mysql');
const answer: DiskQuotaAnswer = { measured: [...(await scan.measure(job.measure))] };
console.log(JSON.stringify(answer));
