import { readFileSync } from 'node:fs';
import { DomainError } from '@innkeeper/domain';

/** Address and credentials of a database, as mysql2 accepts them. */
export interface DatabaseAddress {
  host: string;
  port: number;
  socketPath?: string;
  /** PEM file of the CA that signed the server's certificate. If set, connections require TLS. */
  tlsCaFile?: string;
  user: string;
  password: string;
  database: string;
}

/**
 * Parses `mysql://user:password@host:port/database`, with `?socket=/path` for a unix socket or `?ca=/path` for TLS.
 * Throws TypeError for a malformed URL. The message never quotes the URL, because it contains a password.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = decode(parsed?.pathname.slice(1));
  const user = decode(parsed?.username);
  const password = decode(parsed?.password);
  if (parsed?.protocol !== 'mysql:' || !database || !user || password === undefined || database.includes('/'))
    throw new TypeError(
      'The database URL must look like mysql://user:password@host:port/database, with special characters percent-encoded.',
    );
  const unknown = [...parsed.searchParams.keys()].find((name) => name !== 'socket' && name !== 'ca');
  if (unknown !== undefined)
    throw new TypeError(
      `The database URL has an unknown parameter "${unknown}"; only "socket" and "ca" are known.`,
    );
  const socketPath = parsed.searchParams.get('socket');
  const tlsCaFile = parsed.searchParams.get('ca');
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    ...(socketPath === null ? {} : { socketPath }),
    ...(tlsCaFile === null ? {} : { tlsCaFile }),
    user,
    password,
    database,
  };
}

/**
 * Returns the URL with the password that the file contains, if there is a file. Throws DomainError
 * `precondition_failed` if the file is not readable. A malformed URL stays unchanged: `parseDatabaseUrl` refuses it.
 */
export function withPasswordFile(url: string, file: string | undefined): string {
  if (file === undefined) return url;
  const password = readPassword(file);
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new DomainError(
      'precondition_failed',
      `INNKEEPER_DATABASE_PASSWORD_FILE must name a file that this user may read: ${file} (${code}).`,
      { cause },
    );
  }
}

function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
