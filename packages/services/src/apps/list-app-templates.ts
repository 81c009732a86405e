import type { AppTemplate } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';

/** A template, as shown to users who install an app. */
export type AppTemplateView = Pick<
  AppTemplate,
  'key' | 'name' | 'description' | 'icon' | 'requires_domain' | 'env_schema'
> & { node_versions?: string[] };

/** Lists the templates for apps. */
export async function listAppTemplates({
  appTemplates,
}: Pick<ServiceContext, 'appTemplates'>): Promise<AppTemplateView[]> {
  return [...appTemplates.values()].map(
    ({ key, name, description, icon, requires_domain, env_schema, node_versions }) => ({
      key,
      name,
      description,
      icon,
      requires_domain,
      env_schema,
      ...(node_versions === undefined ? {} : { node_versions }),
    }),
  );
}
