import { type AppTemplate, appTemplateSchema } from '@innkeeper/domain';
import nodejs from './templates/nodejs.json' with { type: 'json' };
import php from './templates/php.json' with { type: 'json' };
import staticSite from './templates/static.json' with { type: 'json' };
import wordpress from './templates/wordpress.json' with { type: 'json' };

/** Everything that apps can be installed from, by key, in the order that people see. */
export type AppTemplates = ReadonlyMap<string, AppTemplate>;

/** Templates of every installation. */
export const builtInAppTemplates: AppTemplates = new Map(
  [php, staticSite, nodejs, wordpress]
    .map((file) => appTemplateSchema.parse(file))
    .map((template) => [template.key, template]),
);

/** How people call a template; of one that is there no more its key. */
export function templateName(templates: AppTemplates, key: string): string {
  return templates.get(key)?.name ?? key;
}
