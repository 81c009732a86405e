import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import type { WordPressSource } from '../../task/job.ts';
import type { WordPressOrigin } from '../host.ts';

/** The first administrator from an app's variables, with defaults for missing values. */
export function wordPressSource(
  app: AppSpec,
  { domains }: Pick<AccountSpec, 'domains'>,
  { from, sha256 }: WordPressOrigin,
): WordPressSource {
  const host = domains.find(({ domain_id }) => domain_id === app.domain_id)?.name ?? 'localhost';
  const setting = (name: string, otherwise: string) => {
    const value = app.env.find((variable) => variable.name === name)?.value ?? '';
    return value === '' ? otherwise : value;
  };
  return {
    kind: 'wordpress',
    from,
    sha256,
    host,
    title: setting('WORDPRESS_TITLE', host),
    user: setting('WORDPRESS_ADMIN_USER', 'admin'),
    email: setting('WORDPRESS_ADMIN_EMAIL', `admin@${host}`),
    password: setting('WORDPRESS_ADMIN_PASSWORD', ''),
  };
}
