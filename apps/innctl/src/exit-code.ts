import { DatabaseUnreachableError, DomainError } from '@innkeeper/domain';
import { CommanderError } from 'commander';

/** The exit codes that `innctl --help` documents. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unavailable: 3 } as const;

/** A mistake in how the command was called, found after its options were parsed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit code and message for an error. `line` null: commander has already printed the message. */
export function verdictOn(error: unknown): { exitCode: number; line: string | null } {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage, line: null };
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, line: error.message };
  if (error instanceof DomainError)
    return {
      exitCode: error.code === 'unavailable' ? exitCodes.unavailable : exitCodes.refused,
      line: sentencesOf(error),
    };
  if (error instanceof DatabaseUnreachableError)
    return {
      exitCode: exitCodes.unavailable,
      line: `${error.message}. Check INNKEEPER_DATABASE_URL and that the server runs.`,
    };
  return { exitCode: exitCodes.refused, line: error instanceof Error ? error.message : String(error) };
}

function sentencesOf(error: DomainError): string {
  if (error.fields === undefined) return error.message;
  return Object.entries(error.fields)
    .flatMap(([field, sentences]) => sentences.map((sentence) => `${field}: ${sentence}`))
    .join('\n');
}
