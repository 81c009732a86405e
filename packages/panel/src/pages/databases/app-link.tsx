import type { DatabaseApp } from '@innkeeper/services';

/** The app that a database belongs to, with its site. */
export function AppLink({ app: { id, name, domain_name } }: { app: DatabaseApp }) {
  return <a href={`/apps/${id}`}>{domain_name === null ? name : `${name} (${domain_name})`}</a>;
}
