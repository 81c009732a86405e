import { CRON_COMMAND_MAX_CHARACTERS, cronCommandRules } from '@innkeeper/domain';
import { type FieldKind, text } from '../fields/index.ts';

/** A shell command on one line, without the characters and programs that the API refuses. */
export function cronCommand(): FieldKind<string> {
  const line = text({ max: CRON_COMMAND_MAX_CHARACTERS });
  const rules = cronCommandRules.map(
    (rule) => (value: unknown) => (typeof value === 'string' ? rule(value) : undefined),
  );
  return { ...line, rules: [...line.rules, ...rules] };
}
