import type { Changes } from './changes.ts';
import { coalesce, type Request } from './coalesce.ts';
import type { MethodCall, Typed, Value } from './dbus-message.ts';
import type { Exec } from './exec.ts';
import type { Properties, Systemd, UnitState } from './host.ts';
import { HostError } from './host-error.ts';
import { stepSignal } from './step-signal.ts';
import {
  type CallSystemd,
  createCallSystemd,
  managerCall,
  propertyCall,
  type Reply,
} from './systemd-manager.ts';

interface ShowRequest {
  readonly unit: string;
  readonly properties: readonly string[];
}

interface ChangeOptions {
  readonly timeoutMs?: number;
  readonly awaitsJobs?: boolean;
  /** Errors that are a success. */
  readonly isAccepted?: ((error: NonNullable<Reply['error']>) => boolean) | undefined;
}

const UNITS_AT_ONCE = 500;
const TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 30_000;
/** A stop waits for the unit's processes: PHP gets 60 s for its last requests, then systemd kills it. */
const STOP_TIMEOUT_MS = 90_000;
const NO_SUCH_UNIT = 'org.freedesktop.systemd1.NoSuchUnit';
/** Results of a job that ended well. `skipped`: a condition of the unit says that it need not start. */
const DONE = new Set(['done', 'skipped']);
const SIGKILL = 9;
/** Properties that units of all kinds have. The others belong to the unit's own kind. */
const OF_ALL_UNITS = new Set([
  'ActiveState',
  'ActiveEnterTimestamp',
  'Description',
  'DropInPaths',
  'NeedDaemonReload',
]);

/**
 * systemd, over its private socket (systemd-manager.ts). `systemctl` does what takes more than
 * one call: it reverts units, and it reloads all unit files, for `reloadUnits` and for a reverted unit that systemd cannot
 * unload otherwise.
 */
export class NodeSystemd implements Systemd {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #call: CallSystemd;
  readonly #show = coalesce<ShowRequest, Properties>((requests) => this.#showBatch(requests));
  readonly #state = coalesce<string, UnitState>((requests) => this.#stateBatch(requests));

  constructor(exec: Exec, changes: Changes, call: CallSystemd = createCallSystemd()) {
    this.#exec = exec;
    this.#changes = changes;
    this.#call = call;
  }

  state(unit: string): Promise<UnitState> {
    return this.#state(unit);
  }

  show(unit: string, properties: readonly string[]): Promise<Properties> {
    return this.#show({ unit, properties });
  }

  async loaded(pattern: string): Promise<Map<string, UnitState>> {
    return await this.#list(managerCall('ListUnitsByPatterns', 'asas', [], [pattern]));
  }

  async start(units: readonly string[]): Promise<void> {
    await this.#job('StartUnit', units, START_TIMEOUT_MS);
  }

  async stop(units: readonly string[]): Promise<void> {
    await this.#job('StopUnit', units, STOP_TIMEOUT_MS, isMissing);
  }

  async startSoon(units: readonly string[]): Promise<void> {
    await this.#change(units.map((unit) => managerCall('StartUnit', 'ss', unit, 'replace')));
  }

  async stopSoon(units: readonly string[]): Promise<void> {
    const calls = units.map((unit) => managerCall('StopUnit', 'ss', unit, 'replace'));
    await this.#change(calls, { isAccepted: isMissing });
  }

  async reload(unit: string): Promise<void> {
    await this.#job('ReloadOrTryRestartUnit', [unit], START_TIMEOUT_MS);
  }

  async resetFailed(units: readonly string[]): Promise<void> {
    const calls = units.map((unit) => managerCall('ResetFailedUnit', 's', unit));
    await this.#change(calls, { isAccepted: isMissing });
  }

  async kill(unit: string): Promise<void> {
    const call = managerCall('KillUnit', 'ssi', unit, 'all', SIGKILL);
    await this.#change([call], { isAccepted: isMissing });
  }

  async setProperties(unit: string, settings: Readonly<Record<string, Typed>>): Promise<void> {
    const pairs = Object.entries(settings).map(([property, value]) => [property, value]);
    const isRuntime = false;
    await this.#change([managerCall('SetUnitProperties', 'sba(sv)', unit, isRuntime, pairs)]);
  }

  async revert(unit: string): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['revert', '--no-reload', '--', unit]);
    const { NeedDaemonReload } = await this.show(unit, ['NeedDaemonReload']);
    if (NeedDaemonReload === true) await this.reloadUnits();
  }

  async reloadUnits(): Promise<void> {
    await this.#exec.change('/usr/bin/systemctl', ['daemon-reload'], { timeoutMs: START_TIMEOUT_MS });
  }

  /** Starts a job for each unit, and waits until they have ended. */
  async #job(
    member: string,
    units: readonly string[],
    timeoutMs: number,
    isAccepted?: ChangeOptions['isAccepted'],
  ): Promise<void> {
    const calls = units.map((unit) => managerCall(member, 'ss', unit, 'replace'));
    const replies = await this.#change(calls, { timeoutMs, awaitsJobs: true, isAccepted });
    for (const [at, { values, error }] of replies.entries())
      if (error === undefined && !DONE.has(values[0] as string))
        throw new HostError('Failed', `${member} of ${units[at]} ended with the result ${values[0]}.`);
  }

  /** Calls that change the node. The change is counted, whether the calls succeed or not. */
  async #change(
    calls: readonly MethodCall[],
    { isAccepted, ...options }: ChangeOptions = {},
  ): Promise<Reply[]> {
    try {
      const replies = await this.#call(calls, { timeoutMs: TIMEOUT_MS, ...options, signal: stepSignal() });
      const failed = replies.find(({ error }) => error !== undefined && isAccepted?.(error) !== true);
      if (failed?.error !== undefined) throw refusal(failed.error);
      return replies;
    } finally {
      this.#changes.record();
    }
  }

  async #stateBatch(requests: readonly Request<string, UnitState>[]): Promise<void> {
    const units = [...new Set(requests.map(({ input }) => input))];
    const states = new Map<string, UnitState>();
    for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
      const some = units.slice(from, from + UNITS_AT_ONCE);
      const found = await this.#list(managerCall('ListUnitsByNames', 'as', some));
      for (const [name, state] of found) states.set(name, state);
    }
    for (const { input, resolve, reject } of requests) {
      const state = states.get(input);
      if (state === undefined) reject(new HostError('Failed', `systemd says nothing of ${input}.`));
      else resolve(state);
    }
  }

  async #list(call: MethodCall): Promise<Map<string, UnitState>> {
    const [reply] = await this.#call([call], { timeoutMs: TIMEOUT_MS });
    if (reply?.error !== undefined) throw refusal(reply.error);
    const units = reply!.values[0] as readonly (readonly Value[])[];
    return new Map(
      units.map(([name, , , active, sub, , , job]) => [
        name as string,
        { active: active as string, sub: sub as string, hasJob: job !== 0 },
      ]),
    );
  }

  async #showBatch(requests: readonly Request<ShowRequest, Properties>[]): Promise<void> {
    const wanted = new Map<string, Set<string>>();
    for (const { input } of requests)
      wanted.set(input.unit, new Set([...(wanted.get(input.unit) ?? []), ...input.properties]));
    const units = [...wanted.keys()];
    const shown = new Map<string, Properties>();
    for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
      const asked = units
        .slice(from, from + UNITS_AT_ONCE)
        .flatMap((unit) => [...wanted.get(unit)!].map((property) => ({ unit, property })));
      const calls = asked.map(({ unit, property }) => propertyCall(unit, kindOf(unit, property), property));
      const replies = await this.#call(calls, { timeoutMs: TIMEOUT_MS });
      for (const [at, { unit, property }] of asked.entries()) {
        const { values, error } = replies[at]!;
        if (error !== undefined) throw refusal(error);
        shown.set(unit, { ...shown.get(unit), [property]: values[0] as Value });
      }
    }
    for (const request of requests) request.resolve(shown.get(request.input.unit) ?? {});
  }
}

/** The D-Bus interface with the property: `Slice` for `user-20000.slice`. */
function kindOf(unit: string, property: string): string {
  if (OF_ALL_UNITS.has(property)) return 'Unit';
  const suffix = unit.slice(unit.lastIndexOf('.') + 1);
  return `${suffix[0]!.toUpperCase()}${suffix.slice(1)}`;
}

/** The unit is not loaded (any more): it does not run and has not failed. A transient unit ends with its last process. */
function isMissing({ name }: NonNullable<Reply['error']>): boolean {
  return name === NO_SUCH_UNIT;
}

function refusal({ message }: NonNullable<Reply['error']>): HostError {
  return new HostError('Failed', `systemd refuses: ${message}`);
}

/** Converts a time of systemd, microseconds since 1970, to ms. Undefined for 0, which means never. */
export function timeOf(microseconds: Value | undefined): number | undefined {
  return typeof microseconds === 'number' && microseconds > 0 ? microseconds / 1_000 : undefined;
}

/** Returns whether a process that started at the time of systemd can have read a change made at `changedAtMs`. */
export function startedAfter(at: Value | undefined, changedAtMs: number | undefined): boolean {
  const startedAtMs = timeOf(at);
  return changedAtMs === undefined || startedAtMs === undefined || startedAtMs > changedAtMs;
}
