import type { AppTemplateView } from '@innkeeper/contract';
import type { ServiceContext } from '../context.ts';

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
