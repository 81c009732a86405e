import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** The scan for remains on a fake hosting server: shared files, and the traces of each capability's fake. */
export class FakeRemains {
  /** Files in shared folders, by uid. */
  readonly sharedFiles = new Map<number, string[]>();
  readonly #fakes: readonly { traces(owner: Owner): readonly string[] }[];

  constructor(fakes: readonly { traces(owner: Owner): readonly string[] }[]) {
    this.#fakes = fakes;
  }

  host(changes: Changes): Pick<Host, 'remains'> {
    const filesOf = ({ uid }: Owner) => this.sharedFiles.get(uid) ?? [];
    return {
      remains: {
        scan: async (owner) => [
          ...filesOf(owner).map((what) => ({ kind: 'shared file', what, removable: true })),
          ...this.#fakes
            .flatMap((fake) => fake.traces(owner))
            .map((kind) => ({ kind, what: owner.name, removable: false })),
        ],
        remove: async (owner, trace) => {
          this.sharedFiles.set(
            owner.uid,
            filesOf(owner).filter((what) => what !== trace.what),
          );
          changes.record();
        },
      },
    };
  }
}
