import { coalesce, type Request } from './coalesce.ts';
import type { Exec } from './exec.ts';
import type { Systemd, UnitState } from './host.ts';
import { HostError } from './host-error.ts';
import { listUnits } from './systemd-manager.ts';

type Properties = Record<string, string>;
interface ShowRequest {
  readonly unit: string;
  readonly properties: readonly string[];
}

const UNITS_AT_ONCE = 500;
/** A stop waits for the unit's processes: PHP gets 60 s for its last requests, then systemd kills it. */
const STOP_TIMEOUT_MS = 90_000;

/**
 * systemctl. As root it talks to systemd over a socket that only root can use
 * (docs/design/node-accounts-and-slices.md). No call reloads all units, except a revert of a unit that systemd cannot
 * unload otherwise.
 */
export class Systemctl implements Systemd {
  readonly #exec: Exec;
  readonly #list: typeof listUnits;
  readonly #show = coalesce<ShowRequest, Properties>((requests) => this.#showBatch(requests));
  readonly #state = coalesce<string, UnitState>((requests) => this.#stateBatch(requests));

  constructor(exec: Exec, list: typeof listUnits = listUnits) {
    this.#exec = exec;
    this.#list = list;
  }

  state(unit: string): Promise<UnitState> {
    return this.#state(unit);
  }

  show(unit: string, properties: readonly string[]): Promise<Properties> {
    return this.#show({ unit, properties });
  }

  async showAll(pattern: string, properties: readonly string[]): Promise<Properties[]> {
    const args = ['show', `--property=${properties.join(',')}`, '--', pattern];
    const { stdout } = await this.#exec.run('/usr/bin/systemctl', args);
    return parseBlocks(stdout);
  }

  async start(units: readonly string[]): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['start', '--', ...units], { timeoutMs: 30_000 });
  }

  async stop(units: readonly string[]): Promise<void> {
    // Exit code 5: one of them is not loaded (any more). A transient unit is unloaded with its last process.
    const options = { timeoutMs: STOP_TIMEOUT_MS, accept: [0, 5] };
    await this.#exec.change('/usr/bin/systemctl', ['stop', '--', ...units], options);
  }

  async startSoon(units: readonly string[]): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['start', '--no-block', '--', ...units]);
  }

  async stopSoon(units: readonly string[]): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['stop', '--no-block', '--', ...units], {
      accept: [0, 5],
    });
  }

  async reloadUnits(): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['daemon-reload'], { timeoutMs: 30_000 });
  }

  async reload(unit: string): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['try-reload-or-restart', '--', unit], {
      timeoutMs: 30_000,
    });
  }

  async resetFailed(units: readonly string[]): Promise<void> {
    // Exit code 1: one of them is not loaded, so it has not failed.
    await this.#exec.change('/usr/bin/systemctl', ['reset-failed', '--', ...units], { accept: [0, 1] });
  }

  async kill(unit: string): Promise<void> {
    // Exit code 1: no such unit is loaded.
    const args = ['kill', '--signal=SIGKILL', '--', unit];
    await this.#exec.change('/usr/bin/systemctl', args, { accept: [0, 1] });
  }

  async setProperties(unit: string, assignments: readonly string[]): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['set-property', '--', unit, ...assignments]);
  }

  async revert(unit: string): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['revert', '--no-reload', '--', unit]);
    const { NeedDaemonReload } = await this.show(unit, ['NeedDaemonReload']);
    if (NeedDaemonReload === 'yes') await this.#exec.change('/usr/bin/systemctl', ['daemon-reload']);
  }

  async #stateBatch(requests: readonly Request<string, UnitState>[]): Promise<void> {
    const units = [...new Set(requests.map(({ input }) => input))];
    const states = new Map<string, UnitState>();
    for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
      const some = units.slice(from, from + UNITS_AT_ONCE);
      for (const [name, state] of await this.#list(some)) states.set(name, state);
    }
    for (const { input, resolve, reject } of requests) {
      const state = states.get(input);
      if (state === undefined) reject(new HostError('Failed', `systemd says nothing of ${input}.`));
      else resolve(state);
    }
  }

  async #showBatch(requests: readonly Request<ShowRequest, Properties>[]): Promise<void> {
    const units = [...new Set(requests.map(({ input }) => input.unit))];
    const properties = [...new Set(requests.flatMap(({ input }) => input.properties))].join(',');
    const shown = new Map<string, Properties>();
    for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
      const some = units.slice(from, from + UNITS_AT_ONCE);
      const args = ['show', '--timestamp=us+utc', `--property=${properties}`, '--', ...some];
      const { stdout } = await this.#exec.run('/usr/bin/systemctl', args);
      const blocks = parseShow(stdout, some.length);
      for (const [at, unit] of some.entries()) shown.set(unit, blocks[at] ?? {});
    }
    for (const request of requests) request.resolve(shown.get(request.input.unit) ?? {});
  }
}

/** Returns one record for each unit, in the requested order. HostError when systemd answers for other units. */
export function parseShow(text: string, units: number): Properties[] {
  const blocks = parseBlocks(text);
  if (blocks.length !== units)
    throw new HostError('Failed', `systemctl show answered for ${blocks.length} units instead of ${units}.`);
  return blocks;
}

function parseBlocks(text: string): Properties[] {
  if (text.trim() === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n').filter((line) => line.includes('='));
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
    });
}

/** Converts a time span as systemd prints it (`1min 30s`, `1.500000s`) to microseconds. Null for `infinity`. */
export function parseTimeSpan(text: string): number | null {
  if (text === 'infinity' || text === '') return null;
  return text.split(' ').reduce((sum, part) => {
    const [, amount, unit = ''] = /^([\d.]+)([a-z]*)$/.exec(part) ?? [];
    const factor = microseconds[unit];
    if (amount === undefined || factor === undefined)
      throw new HostError('Failed', `systemd says a time span that is not understood: ${text}`);
    return sum + Number(amount) * factor;
  }, 0);
}

/**
 * Returns whether a process that started `at` (`Sat 2026-11-21 04:41:00.123456 UTC`) can have read a change made at
 * `changedAtMs`.
 */
export function startedAfter(at: string, changedAtMs: number | undefined): boolean {
  const startedAtMs = timeOf(at);
  return changedAtMs === undefined || startedAtMs === undefined || startedAtMs > changedAtMs;
}

/** Converts a time as systemd prints it to ms since 1970. Undefined for none. */
export function timeOf(at: string): number | undefined {
  const [, day, time] = /^\S+ (\S+) (\S+) UTC$/.exec(at) ?? [];
  const ms = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

const microseconds: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  min: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
  w: 604_800_000_000,
};
