import { readFileSync } from 'node:fs';
import { Changes } from '../../src/host/changes.ts';
import { DiskScan } from '../../src/host/disk-scan.ts';
import { Exec } from '../../src/host/exec.ts';
import type { StoredThings } from '../../src/host/host.ts';

/** Measures the accounts of standard input as the agent does, and prints bytes by uid. */
const accounts = JSON.parse(readFileSync(0, 'utf8')) as StoredThings[];
const noQuota = { stored: async () => undefined };
const scan = new DiskScan(new Exec(new Changes()), async () => '/var/lib/mysql', noQuota);
console.log(JSON.stringify([...(await scan.measure(accounts))]));
process.exit();
