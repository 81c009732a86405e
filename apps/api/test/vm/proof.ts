import { noteProof, type VirtualMachineSystem } from '@innkeeper/testkit';
import { test } from 'vitest';

/** Adds to what was seen: a few words with a figure. */
type Saw = (words: string) => void;

type Proves = (fault: string, promise: string, work: (saw: Saw) => Promise<void>) => void;

/** Every run shows a promise on this system; only `./scripts/test --all` shows all of them on the others too. */
const WHOLE: VirtualMachineSystem = 'debian12';

export interface Proofs {
  /**
   * A test whose name states a fault (or a demand) and the product's promise. With what it saw it becomes a row of
   * docs/reliability.md.
   */
  proves: Proves;
  /** A longer one, which an ordinary run makes on one system only. */
  provesAtLength: Proves;
}

export function proofsOn(system: VirtualMachineSystem): Proofs {
  const provesIf =
    (condition: boolean): Proves =>
    (fault, promise, work) =>
      test.runIf(condition)(`${fault}: ${promise}`, async () => {
        const seen: string[] = [];
        await work((words) => seen.push(words));
        noteProof({ system, fault, promise, seen: seen.join('; ') });
      });
  return {
    proves: provesIf(true),
    provesAtLength: provesIf(system === WHOLE || process.env.INNKEEPER_TEST_ALL === 'true'),
  };
}
