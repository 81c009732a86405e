import { endpoints } from '@innkeeper/contract';
import { type AppTemplate, DomainError, type FieldErrors, invalidField } from '@innkeeper/domain';
import type { NewApp } from '@innkeeper/services';
import type { Form } from '../../env.ts';
import { fieldsOf, textOf } from '../../http/form.ts';

/** Where variables are typed that the template does not ask for, a line each. */
export const VARIABLES_FIELD = 'variables';

/** What the form of an install asks for. Throws `invalid`, each sentence at the field of the form. */
export function readInstall(form: Form, accountId: number): NewApp {
  const { env, [VARIABLES_FIELD]: _, git, ...rest } = form;
  const asked = {
    ...rest,
    hosting_account_id: accountId,
    env: { ...fieldsIn(env), ...readVariables(textOf(form, VARIABLES_FIELD)) },
    ...(saysNothing(git) ? {} : { git }),
  };
  return fieldsOf(endpoints.createApp.body, asked);
}

/** What the service refuses, where the form has it: variables that the template does not ask for have one field. */
export function refuseAtFields(error: unknown, template: AppTemplate | undefined): never {
  if (!(error instanceof DomainError) || error.fields === undefined) throw error;
  const own = new Set(template?.env_schema.map(({ name }) => `env.${name}`));
  const fields: Record<string, string[]> = {};
  for (const [field, sentences] of Object.entries(error.fields)) {
    const isElsewhere = field === 'env' || (field.startsWith('env.') && !own.has(field));
    const at = isElsewhere ? VARIABLES_FIELD : field;
    fields[at] = [...(fields[at] ?? []), ...sentences];
  }
  throw new DomainError('invalid', error.message, { fields: fields satisfies FieldErrors });
}

/**
 * `NAME=value` a line; what stands around the name and the value does not count. A value that begins with a quotation mark
 * goes on to the next line that ends with one.
 */
export function readVariables(text: string): Record<string, string> {
  const variables: Record<string, string> = Object.create(null);
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    if (at < 1)
      throw invalidField(
        VARIABLES_FIELD,
        `Line ${index + 1} is no variable: write a name, "=" and the value, such as GREETING=hello.`,
      );
    const value = line.slice(at + 1).trim();
    const end = /^"(?!.*"$)|^"$/.test(value) ? lines.findIndex((it, n) => n > index && it.endsWith('"')) : -1;
    const quoted = [value.slice(1), ...lines.slice(index + 1, end), lines[end]?.slice(0, -1)];
    variables[line.slice(0, at).trim()] = end === -1 ? value : quoted.join('\n');
    index = Math.max(index, end);
  }
  return variables;
}

function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A repository is what makes it one; a branch stands there beforehand. */
function saysNothing(git: unknown): boolean {
  const { repository, deploy_key } = fieldsIn(git);
  return [repository, deploy_key].every((value) => value === undefined || value === '');
}
