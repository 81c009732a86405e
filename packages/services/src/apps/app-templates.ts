import { type AppTemplate, appTemplateSchema } from '@innkeeper/domain';
import nodejs from './templates/nodejs.json' with { type: 'json' };
import php from './templates/php.json' with { type: 'json' };
import staticSite from './templates/static.json' with { type: 'json' };
import wordpress from './templates/wordpress.json' with { type: 'json' };

/** All app templates by key, in display order. */
export type AppTemplates = ReadonlyMap<string, AppTemplate>;

/** Templates of every installation. */
export const builtInAppTemplates: AppTemplates = new Map(
  [php, staticSite, nodejs, wordpress]
    .map((file) => appTemplateSchema.parse(file))
    .map((template) => [template.key, template]),
);

/** Display name of a template. Returns the key for a template that no longer exists. */
export function templateName(templates: AppTemplates, key: string): string {
  return templates.get(key)?.name ?? key;
}
