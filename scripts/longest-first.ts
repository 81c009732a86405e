import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The order of the files of `integration`, `boxes` and `vm`, which run side by side. The virtual machine works on one of its
 * files at a time, from the beginning to the end of the run, so the first two start at once: the second waits for the
 * first. Files of `integration` follow, then the longest of `boxes`, and between them those of the api, of which only one
 * runs at a time. vitest sorts by the durations of earlier runs, and a fresh clone has none: the longest file could start
 * last, and the run would wait for it alone.
 */
const INTEGRATION = 'integration';
const ORDER = [
  'vm/limits',
  'vm/faults',
  INTEGRATION,
  'drivers',
  'whole-account',
  'programs',
  'deploy-crashes',
  'hosting-account',
  'certificates',
  'releases',
  'panel',
  'vm/disk-quota',
  'vm/limits-debian13',
  'vm/faults-debian13',
  'fence',
  'databases',
  'resilience',
  'drift',
  'crash',
  'canary',
  'attack',
];

function placeOf({ moduleId, project }: TestSpecification): number {
  const [, folder, name] = /\/(boxes|vm)\/([^/]+)\.test\.ts$/.exec(moduleId) ?? [];
  const place = ORDER.indexOf(folder === 'vm' ? `vm/${name}` : (name ?? project.name));
  return place === -1 ? ORDER.length : place;
}

/** Starts the longest files first, within the order of the projects. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}
