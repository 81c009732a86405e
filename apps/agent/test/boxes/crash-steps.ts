/**
 * The steps at which a sweep kills the agent. A full run (`./scripts/test --all`) kills at every step. Other runs kill
 * at every sixth step, starting at one that depends on the number INNKEEPER_TEST_SAMPLE, which `./scripts/test` derives
 * from the commit and prints. So six commits in a row kill at about all steps, and the same number repeats a run.
 */
export interface CrashSteps {
  readonly first: number;
  readonly every: number;
}

const EVERY = 6;

/** `steps`: how many the swept work has, if it has few. At least two of them are among those of a run. */
export function crashSteps(steps = 2 * EVERY, env: NodeJS.ProcessEnv = process.env): CrashSteps {
  if (env.INNKEEPER_TEST_ALL === 'true') return { first: 1, every: 1 };
  const every = Math.min(EVERY, Math.floor(steps / 2));
  return { first: 1 + (Number(env.INNKEEPER_TEST_SAMPLE ?? 0) % every), every };
}
