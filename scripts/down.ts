import { join } from 'node:path';
import {
  createSteps,
  removeInstallation,
  StepError,
  stopInstallation,
  withFileLock,
} from '@innkeeper/testkit/machine';
import { showStep } from './up-steps/show-step.ts';

const STATE_DIR = join(import.meta.dirname, '../.run');
const purge = process.argv.includes('--purge');

try {
  await withFileLock(
    join(STATE_DIR, 'lock'),
    async () => {
      // With purge there is no log: it would be removed with the rest, or be the only file left.
      const step = createSteps(join(STATE_DIR, 'log'), showStep);
      if (!purge) await step('Stopping', () => stopInstallation(STATE_DIR));
      else {
        const line = showStep('Stopping and removing');
        const started = performance.now();
        await removeInstallation(STATE_DIR);
        line.end('ok', (performance.now() - started) / 1000);
      }
    },
    'Another ./scripts/up or ./scripts/down runs in this checkout. Wait until it ends.',
  );
} catch (error) {
  console.error(
    error instanceof StepError ? `\n${error.message}` : `\n${error instanceof Error ? error.message : error}`,
  );
  process.exitCode = 1;
}
