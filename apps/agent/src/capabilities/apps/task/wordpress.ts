import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { BuildTools } from './build.ts';
import { fetchWordPress } from './fetch-wordpress.ts';
import type { WordPressSource } from './job.ts';
import { TaskFailure } from './task-failure.ts';
import { wordPressConfig } from './wordpress-config.ts';
import { installScript } from './wordpress-install.ts';

/** Exit code of the script when the database is unreachable. */
const DATABASE_AWAY = 3;

/**
 * Installs WordPress in `into`, and creates the tables of its database. So a ready release shows the blog, and not the
 * setup form in which the first visitor could become the administrator. Existing data in the database is user data and
 * is not changed. So a retry continues with what the previous attempt created.
 */
export async function installWordPress(
  folder: string,
  into: string,
  source: WordPressSource,
  tools: BuildTools,
): Promise<void> {
  if (source.from.startsWith('/')) copyWordPress(source.from, into);
  else await fetchWordPress(source, into, tools);
  if (!existsSync(join(into, 'wp-settings.php')))
    throw new TaskFailure(`There is no WordPress in ${basename(source.from)}.`);
  writeFileSync(join(into, 'wp-config.php'), wordPressConfig(newSalt), { mode: 0o600 });
  const { exitCode } = await tools.exec.follow(
    '/usr/bin/php',
    ['-d', 'display_errors=stderr', '-d', 'memory_limit=256M', '-r', installScript],
    {
      cwd: resolve(into),
      variables: { HOME: process.cwd(), WORDPRESS_INSTALL: JSON.stringify(administratorOf(folder, source)) },
      signal: tools.signal,
      onOutput: (chunk) => tools.log.write(chunk),
    },
  );
  if (exitCode === DATABASE_AWAY)
    throw new TaskFailure('WordPress cannot reach its database.', { retry: true });
  if (exitCode !== 0) throw new TaskFailure('WordPress could not be installed.');
}

/**
 * A distribution's WordPress contains links into other packages: the link targets are copied. The distribution's
 * settings are not copied.
 */
function copyWordPress(from: string, into: string): void {
  if (!existsSync(from) || !statSync(from).isDirectory())
    throw new TaskFailure('The server has no WordPress where its configuration says.');
  const ownSettings = join(from, 'wp-config.php');
  cpSync(from, into, {
    recursive: true,
    dereference: true,
    filter: (path) => path !== ownSettings && existsSync(path),
  });
}

function newSalt(): string {
  return randomBytes(48).toString('base64url');
}

interface Administrator extends Pick<WordPressSource, 'title' | 'user' | 'email' | 'host'> {
  password: string;
}

/**
 * If no password was given, one is generated and written to a file that only the account can read. It appears nowhere
 * else.
 */
function administratorOf(
  folder: string,
  { title, user, email, host, password }: WordPressSource,
): Administrator {
  const known = { title, user, email, host };
  if (password !== '') return { ...known, password };
  const note = join(folder, 'wordpress-login.txt');
  const made = existsSync(note) ? /^Password: (\S+)$/m.exec(readFileSync(note, 'utf8'))?.[1] : undefined;
  if (made !== undefined) return { ...known, password: made };
  const fresh = randomBytes(18).toString('base64url');
  writeFileSync(note, `User: ${user}\nPassword: ${fresh}\n`, { mode: 0o600, flag: 'w' });
  return { ...known, password: fresh };
}
