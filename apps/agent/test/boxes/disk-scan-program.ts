import { readFileSync } from 'node:fs';
import { DiskScan } from '../../src/capabilities/disk/disk-scan.ts';
import type { StoredThings } from '../../src/capabilities/disk/host.ts';
import { Changes } from '../../src/node/changes.ts';
import { Exec } from '../../src/node/exec.ts';

/** Measures the accounts on standard input as the agent does, and prints bytes by uid. */
const accounts = JSON.parse(readFileSync(0, 'utf8')) as StoredThings[];
const noQuota = { stored: async () => undefined };
const scan = new DiskScan(new Exec(new Changes()), async () => '/var/lib/mysql', noQuota);
console.log(JSON.stringify([...(await scan.measure(accounts))]));
process.exit();
