import { endpoints } from '@innkeeper/contract';
import { type AppTemplate, DomainError, type FieldErrors, invalidField } from '@innkeeper/domain';
import type { NewApp } from '@innkeeper/services';
import type { Form } from '../../env.ts';
import { fieldsOf, textOf } from '../../http/form.ts';
import type { appTexts } from './texts/index.ts';

type AppTexts = typeof appTexts.en;

/** Field for variables that the template does not define, one per line. */
export const VARIABLES_FIELD = 'variables';

/** Reads the install form. Throws `invalid` with each error at its form field. */
export function readInstall(form: Form, accountId: number, texts: AppTexts): NewApp {
  const { env, [VARIABLES_FIELD]: _, git, ...rest } = form;
  const input = {
    ...rest,
    hosting_account_id: accountId,
    env: { ...fieldsIn(env), ...readVariables(textOf(form, VARIABLES_FIELD), texts) },
    ...(saysNothing(git) ? {} : { git }),
  };
  return fieldsOf(endpoints.createApp.body, input);
}

/** Names of the variables that a template gives fields of their own. */
export function variablesOf(template: AppTemplate | undefined): string[] {
  return template?.env_schema.map(({ name }) => name) ?? [];
}

/** The same error at the form's fields: variables without a field of their own share one. */
export function atFormFields(error: unknown, variables: readonly string[]): unknown {
  if (!(error instanceof DomainError) || error.fields === undefined) return error;
  const own = new Set(variables.map((name) => `env.${name}`));
  const fields: Record<string, string[]> = {};
  for (const [field, sentences] of Object.entries(error.fields)) {
    const isElsewhere = field === 'env' || (field.startsWith('env.') && !own.has(field));
    const at = isElsewhere ? VARIABLES_FIELD : field;
    fields[at] = [...(fields[at] ?? []), ...sentences];
  }
  return new DomainError('invalid', error.message, { fields: fields satisfies FieldErrors });
}

/**
 * One `NAME=value` per line. Spaces around the name and the value are ignored. A value that begins with a quotation
 * mark continues up to the next line that ends with one.
 */
export function readVariables(text: string, texts: AppTexts): Record<string, string> {
  const variables: Record<string, string> = Object.create(null);
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    if (at < 1) throw invalidField(VARIABLES_FIELD, texts.notAVariable(index + 1));
    const value = line.slice(at + 1).trim();
    const end = /^"(?!.*"$)|^"$/.test(value) ? lines.findIndex((it, n) => n > index && it.endsWith('"')) : -1;
    const quoted = [value.slice(1), ...lines.slice(index + 1, end), lines[end]?.slice(0, -1)];
    variables[line.slice(0, at).trim()] = end === -1 ? value : quoted.join('\n');
    index = Math.max(index, end);
  }
  return variables;
}

export function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Without a repository and a key there is no Git source. The branch alone is the form's default. */
export function saysNothing(git: unknown): boolean {
  const { repository, deploy_key } = fieldsIn(git);
  return [repository, deploy_key].every((value) => value === undefined || value === '');
}
