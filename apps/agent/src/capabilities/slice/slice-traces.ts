import type { Cgroups, Systemd } from '../../node/host.ts';
import { listIfThere } from '../../node/if-there.ts';
import { left, leftUnits, type Trace, type Traced } from '../../node/trace.ts';
import { companionsOf } from './slice-driver.ts';

const CONTROL_FOLDERS = [
  '/etc/systemd/system.control',
  '/run/systemd/system.control',
  '/run/systemd/transient',
];

/** Traces of the slice, of the units that logind starts beside it, and of settings that systemd keeps for either. */
export function sliceTraces(systemd: Systemd, cgroups: Cgroups): Traced {
  return {
    async traces({ uid }): Promise<Trace[]> {
      const slice = `user-${uid}.slice`;
      const units = [slice, ...companionsOf(uid)];
      const settings = await Promise.all(
        CONTROL_FOLDERS.map(async (folder) =>
          (await listIfThere(folder))
            .filter((name) => name.startsWith(slice) || name.includes(`@${uid}.`))
            .map((name) => left('unit settings', `${folder}/${name}`)),
        ),
      );
      const cgroup = (await cgroups.exists(uid)) ? [left('cgroup', slice)] : [];
      return [...(await leftUnits(systemd, units)), ...settings.flat(), ...cgroup];
    },
  };
}
