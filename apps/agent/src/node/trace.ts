import type { Systemd } from './host.ts';
import { statIfThere } from './if-there.ts';
import type { Owner } from './owner.ts';

/** An object that a removed account left on the node. */
export interface Trace {
  readonly kind: string;
  readonly what: string;
  /** Whether `Remains.remove` can remove it. */
  readonly removable: boolean;
  /** It is reported, but does not prevent the account from being absent. Default: no. */
  readonly harmless?: boolean;
}

/** Finds what a capability left on the node for an account that should be gone. Only reads. */
export interface Traced {
  traces(owner: Owner): Promise<Trace[]>;
}

/** A trace that its driver should have removed. */
export function left(kind: string, what: string): Trace {
  return { kind, what, removable: false };
}

/** A trace that no driver removes. */
export function removable(kind: string, what: string): Trace {
  return { kind, what, removable: true };
}

/** A trace in the possession of another user, where nothing of the account can act. */
export function harmless(kind: string, what: string): Trace {
  return { kind, what, removable: false, harmless: true };
}

/** Returns the paths that exist. */
export async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => ((await statIfThere(path)) === undefined ? [] : [path])),
  );
  return found.flat();
}

/** Returns a trace for each of the files that exist. */
export async function leftFiles(paths: readonly string[]): Promise<Trace[]> {
  return (await existing(paths)).map((path) => left('configuration', path));
}

/** Returns a trace for each of the units that are not inactive. */
export async function leftUnits(systemd: Systemd, units: readonly string[]): Promise<Trace[]> {
  const found = await Promise.all(
    units.map(async (unit) => {
      const { active } = await systemd.state(unit);
      return active === 'inactive' ? [] : [left('unit', `${unit} (${active})`)];
    }),
  );
  return found.flat();
}
