import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guest } from '../boxes/guest.ts';
import { runProgram } from '../processes/program.ts';
import { type NotedSecret, notedSecrets } from './noted-secrets.ts';

/** A secret in a forbidden place. */
export interface Leak {
  readonly kind: string;
  readonly place: string;
  /** The line, with the secret replaced by its kind. */
  readonly line: string;
}

const FOUND = 'found-leaks.jsonl';
const PATTERNS = '/run/innkeeper-leak-patterns';
const SEARCH_TIMEOUT_MS = 120_000;
const LINES_PER_PLACE = 20;

/**
 * Searches all places of a hosting server where no secret may be: its journal, its logs (including nginx's), core
 * files, the agent's ledger and the files that it passes to tasks, units and their settings, /tmp, and the agent's
 * metrics.
 */
const SEARCH = String.raw`
patterns=$1
journalctl --no-pager -q -o cat | grep -a -F -f "$patterns" | sed 's/^/journal: /' | head -n 20
for folder in /var/log /var/lib/systemd/coredump /var/lib/innkeeper/agent/ledger /var/lib/innkeeper/agent/tasks \
  /run/systemd/transient /run/systemd/system.control /etc/systemd/system /tmp; do
  [ ! -d "$folder" ] || grep -r -a -s -F -f "$patterns" -- "$folder" | cut -c 1-2000 | head -n 20
done
{ find / -maxdepth 1 -type f -name 'core*' -print0; find /home /root /var -xdev -type f -name 'core*' -size +16k -print0; } 2>/dev/null |
  xargs -0 -r grep -a -s -o -H -F -f "$patterns" -- | head -n 20
curl -s --max-time 5 http://127.0.0.1:9465/metrics | grep -a -F -f "$patterns" | sed 's/^/metrics: /' | head -n 20
exit 0
`;

/** Searches a hosting server for secrets. */
export async function searchGuest(guest: Guest, secrets: readonly NotedSecret[]): Promise<Leak[]> {
  if (secrets.length === 0) return [];
  await guest.writeFile(PATTERNS, patternsOf(secrets), { mode: 0o600 });
  const { stdout } = await guest.exec(['sh', '-c', SEARCH, 'search', PATTERNS], {
    timeoutMs: SEARCH_TIMEOUT_MS,
  });
  await guest.exec(['rm', '-f', PATTERNS]);
  return leaksIn(stdout, secrets, `${guest.name}: `);
}

/**
 * Searches for secrets in the logs and metrics of a control plane, and in the command lines of all programs started
 * during the run (`argv-watch.ts`).
 */
export async function searchControlPlane(
  stateDir: string,
  metricsUrl: string,
  secrets: readonly NotedSecret[],
): Promise<Leak[]> {
  if (secrets.length === 0) return [];
  const argv = ['grep', '-r', '-a', '-s', '-F', '-f', '-', '--', join(stateDir, 'log')];
  const { stdout } = await runProgram(argv, { input: patternsOf(secrets), timeoutMs: SEARCH_TIMEOUT_MS });
  const metrics = await (await fetch(metricsUrl)).text();
  return [...leaksIn(stdout, secrets, ''), ...leaksIn(metrics, secrets, 'metrics of the API: ')];
}

/**
 * Searches a hosting server of a test run for the secrets of the run, and stores the leaks until the end of the run.
 */
export async function searchGuestForLeaks(guest: Guest, stateDir: string): Promise<void> {
  keep(await searchGuest(guest, notedSecrets(stateDir)), stateDir);
}

/** Does the same for the control plane of the run. */
export async function searchControlPlaneForLeaks(stateDir: string, metricsUrl: string): Promise<void> {
  keep(await searchControlPlane(stateDir, metricsUrl, notedSecrets(stateDir)), stateDir);
}

/** Returns the leaks that a run has found so far. */
export function foundLeaks(stateDir: string): Leak[] {
  const file = join(stateDir, FOUND);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Leak);
}

function patternsOf(secrets: readonly NotedSecret[]): string {
  return secrets.map(({ value }) => `${value}\n`).join('');
}

/** Returns the lines that contain a secret. The text before the first colon of a line is its place. */
function leaksIn(text: string, secrets: readonly NotedSecret[], prefix: string): Leak[] {
  const found = new Map<string, Leak[]>();
  for (const line of text.split('\n')) {
    const secret = secrets.find(({ value }) => line.includes(value));
    if (secret === undefined) continue;
    const place = `${prefix}${line.split(':', 1)[0]}`;
    const shown = line.replaceAll(secret.value, `<${secret.kind}>`).slice(0, 500);
    const others = found.get(place) ?? [];
    if (others.length < LINES_PER_PLACE) others.push({ kind: secret.kind, place, line: shown });
    found.set(place, others);
  }
  return [...found.values()].flat();
}

function keep(leaks: readonly Leak[], stateDir: string): void {
  for (const leak of leaks) appendFileSync(join(stateDir, FOUND), `${JSON.stringify(leak)}\n`);
}
