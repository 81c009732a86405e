import { type Options, readOptions, UsageError, usage } from './conformance-suite/options.ts';
import { run } from './conformance-suite/run.ts';

/**
 * Tests an installation of the API against its specification, only over HTTP: nothing here uses the code of this
 * repository, so that it can test any other implementation too.
 */
async function main(options: Options): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(130);
      console.error(
        '\nInterrupted: terminating the accounts of this run. Press Ctrl-C again to stop at once and leave them.',
      );
      interruption.abort();
    });
  const { counts, left, interrupted, requests } = await run(options, interruption.signal);
  if (left.length > 0)
    console.error(`These accounts could not be terminated. Terminate them by hand: ${left.join(', ')}`);
  const { ok, fail, differs, skipped } = counts;
  console.log(
    `\n${ok} ok, ${fail} failed, ${differs} differ from the decisions, ${skipped} skipped; ${requests} requests`,
  );
  if (interrupted) return 130;
  return fail === 0 && left.length === 0 ? 0 : 1;
}

try {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    process.exit();
  }
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${usage}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
