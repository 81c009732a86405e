import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppTemplate, appTemplateSchema, ConfigError } from '@innkeeper/domain';
import { type AppTemplates, builtInAppTemplates } from '@innkeeper/services';
import type { z } from 'zod';

/**
 * Loads the built-in app templates and the operator's own: every `*.json` file of the folder is one template. Throws
 * ConfigError with a sentence for each file and field that is wrong.
 */
export function loadAppTemplates(folder: string | undefined): AppTemplates {
  const templates = new Map(builtInAppTemplates);
  if (folder === undefined) return templates;
  const problems: string[] = [];
  for (const name of filesOf(folder)) {
    const file = join(folder, name);
    const refuse = (sentence: string) => void problems.push(`${file}: ${sentence}.`);
    const template = readTemplate(file, refuse);
    if (template === undefined) continue;
    if (templates.has(template.key)) refuse(`key must be no other template's; "${template.key}" is`);
    templates.set(template.key, template);
  }
  if (problems.length > 0) throw new ConfigError(...problems);
  return templates;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `INNKEEPER_TEMPLATES_DIR must name a folder that this user may read: ${folder} (${code}).`,
    );
  }
}

/** Returns undefined for an invalid template file, and reports each problem. */
function readTemplate(file: string, refuse: (sentence: string) => void): AppTemplate | undefined {
  try {
    const parsed = appTemplateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) refuse(sentenceOf(issue));
  } catch (error) {
    refuse(
      error instanceof SyntaxError
        ? `it must be JSON: ${error.message}`
        : `it must be a file that this user may read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  return undefined;
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .map((key) => `${field === '' ? '' : `${field}.`}${key} is no field of a template`)
      .join('; ');
  return field === '' ? 'it must be an object' : `${field} ${issue.message}`;
}
