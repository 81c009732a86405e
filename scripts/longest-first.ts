import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of `boxes` and `vm` that start first: the longest, and between them those of the api, of which only one runs at a
 * time, as of `vm`. vitest sorts by the durations of earlier runs, and a fresh clone has none: the longest file could start last,
 * and the run would wait for it alone.
 */
const LONGEST = [
  'vm/limits',
  'drivers',
  'whole-account',
  'programs',
  'deploy-crashes',
  'hosting-account',
  'certificates',
  'releases',
  'panel',
  'fence',
  'vm/faults',
  'databases',
  'resilience',
  'drift',
  'crash',
  'canary',
  'attack',
];

/** Waits for the virtual machine until the first file with it has ended. */
const LAST = 'vm/disk-quota';

const PLACES = new Map(
  LONGEST.map((name, place) => [`/${name.includes('/') ? name : `boxes/${name}`}.test.ts`, place]),
).set(`/${LAST}.test.ts`, LONGEST.length + 1);

function placeOf({ moduleId }: TestSpecification): number {
  const path = moduleId.slice(moduleId.search(/\/(boxes|vm)\/[^/]+$/));
  return PLACES.get(path) ?? LONGEST.length;
}

/** Starts the longest files first, within the order of the projects. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}
