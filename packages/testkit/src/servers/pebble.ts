import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import {
  createCertificateAuthority,
  loadCertificateAuthority,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import type { BoxNetwork } from '../boxes/box-network.ts';
import { findDaemon, startDaemon, stopDaemon } from '../processes/daemon.ts';
import { withFileLock } from '../processes/file-lock.ts';
import { freePort } from '../processes/port.ts';
import { requireProgram, runProgram } from '../processes/program.ts';
import type { StateDir } from '../processes/state-dir.ts';
import { waitUntil } from '../processes/wait-until.ts';

export interface PebbleOptions {
  /** The boxes that must reach it. */
  network: BoxNetwork;
  /** Lifetime of its certificates in s. */
  lifetimeSeconds: number;
}

/** A name server in memory: a name without addresses does not exist. */
export interface Names {
  set(name: string, addresses: readonly string[]): Promise<void>;
}

/**
 * Pebble, an ACME authority for tests that is as strict to its clients as the standard allows, and two name servers:
 * one for the boxes, and one for Pebble itself, for names that resolve to another address from its position.
 */
export interface Pebble {
  /** Its own address on the bridge, so that several test files have an authority and a name server at the same time. */
  address: string;
  directoryUrl: string;
  /** CA certificate of its own HTTPS, PEM. */
  caPem: string;
  /** Root certificate of the certificates that it issues, PEM. */
  rootPem: string;
  /** The name server on port 53 of the address. */
  names: Names;
  /** The name server that the authority uses. */
  ownNames: Names;
  /** Returns its log so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** The last parts of its addresses in the subnet of the boxes. Boxes get the lower ones. */
const HOSTS = [241, 242, 243, 244];
const DAEMONS = ['pebble', 'pebble-names', 'pebble-own-names'];
const daemonsOf = (host: number) => DAEMONS.map((name) => `${name}-${host}`) as [string, string, string];
const VALIDATION_PORT = 80;
/** Percentage of valid nonces that it rejects. */
const REFUSED_NONCES = '20';

export async function startPebble(
  state: StateDir,
  { network, lifetimeSeconds }: PebbleOptions,
): Promise<Pebble> {
  const host = await takeHost(network);
  const address = addressOf(network, host);
  const [pebbleName, namesName, ownNamesName] = daemonsOf(host);
  await stopDaemons(state, host);
  const folder = join(state.path, pebbleName);
  await mkdir(folder, { recursive: true });
  const names = await startNames(state, namesName, `${address}:53`);
  const ownDns = `127.0.0.1:${await freePort()}`;
  const ownNames = await startNames(state, ownNamesName, ownDns);

  const made = await createCertificateAuthority();
  const { chainPem, keyPem } = await signServerCertificate(
    loadCertificateAuthority(made.certificatePem, made.keyPem),
    { hosts: [address, '127.0.0.1'], lifetimeMs: 24 * 3_600_000 },
  );
  await writeFile(join(folder, 'cert.pem'), chainPem);
  await writeFile(join(folder, 'key.pem'), keyPem, { mode: 0o600 });
  const [port, management] = [await freePort(address), await freePort()];
  const config = {
    listenAddress: `${address}:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort: VALIDATION_PORT,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    certificateValidityPeriod: lifetimeSeconds,
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble: config }));
  const logFile = join(state.path, `log/${pebbleName}.log`);
  await startDaemon({
    recordDir: recordDir(state),
    name: pebbleName,
    logFile,
    argv: ['/usr/bin/pebble', '-config', join(folder, 'config.json'), '-dnsserver', ownDns],
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: REFUSED_NONCES, PEBBLE_AUTHZREUSE: '0' },
  });
  const caPem = made.certificatePem;
  const rootPem = await waitUntil(`Pebble (its log: ${state.dir}/log/${pebbleName}.log)`, async () => {
    if ((await findDaemon(recordDir(state), pebbleName)) === undefined) throw new Error('it ended at once');
    return await get(`https://127.0.0.1:${management}/roots/0`, caPem);
  });
  return {
    address,
    directoryUrl: `https://${address}:${port}/dir`,
    caPem,
    rootPem,
    names,
    ownNames,
    log: () => readFile(logFile, 'utf8'),
    stop: async () => {
      await stopDaemons(state, host);
      await runProgram(['ip', 'address', 'delete', `${address}/24`, 'dev', network.bridge]);
    },
  };
}

/** Stops all of them that a killed run has left. Their addresses go with the bridge. */
export async function stopPebbles(state: StateDir): Promise<void> {
  for (const host of HOSTS) await stopDaemons(state, host);
}

async function stopDaemons(state: StateDir, host: number): Promise<void> {
  for (const name of daemonsOf(host)) await stopDaemon(recordDir(state), name);
}

/** Adds the first address that is not taken to the bridge. */
async function takeHost(network: BoxNetwork): Promise<number> {
  return await withFileLock(`/run/lock/innkeeper-pebble-${network.bridge}.lock`, async () => {
    const { stdout } = await requireProgram([
      'ip',
      '-4',
      '-oneline',
      'address',
      'show',
      'dev',
      network.bridge,
    ]);
    const host = HOSTS.find((one) => !stdout.includes(`${addressOf(network, one)}/`));
    if (host === undefined) throw new Error(`${HOSTS.length} authorities run already`);
    await requireProgram(['ip', 'address', 'add', `${addressOf(network, host)}/24`, 'dev', network.bridge]);
    return host;
  });
}

const addressOf = ({ hostAddress }: BoxNetwork, host: number) => hostAddress.replace(/\d+$/, String(host));

async function startNames(state: StateDir, name: string, dns: string): Promise<Names> {
  const management = `127.0.0.1:${await freePort()}`;
  const off = ['http01', 'https01', 'tlsalpn01', 'defaultIPv4', 'defaultIPv6'].map((option) => `-${option}=`);
  await startDaemon({
    recordDir: recordDir(state),
    name,
    logFile: join(state.path, `log/${name}.log`),
    argv: ['/usr/bin/pebble-challtestsrv', `-dns01=${dns}`, `-management=${management}`, ...off],
  });
  const tell = async (path: string, body: unknown) => {
    const answer = await fetch(`http://${management}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${name} answered ${answer.status} to ${path}`);
  };
  await waitUntil(`${name} (its log: ${state.dir}/log/${name}.log)`, async () => {
    await tell('clear-a', { host: 'nothing.invalid.' });
    return true;
  });
  return {
    set: async (host, addresses) => {
      await tell('clear-a', { host: `${host}.` });
      if (addresses.length > 0) await tell('add-a', { host: `${host}.`, addresses });
    },
  };
}

function recordDir(state: StateDir): string {
  return join(state.path, 'pids');
}

function get(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ca, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      answer.on('error', reject);
    });
    call.on('error', reject);
    call.end();
  });
}
