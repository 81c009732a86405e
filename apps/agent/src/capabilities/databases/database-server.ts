import { existsSync } from 'node:fs';
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import { HostError } from '../../node/host-error.ts';

export type Flavour = 'mariadb' | 'mysql';

const DEBIANS_DATA_FOLDER = '/var/lib/mysql';
const STATEMENT_TIMEOUT_MS = 30_000;
/** After so long without a statement all connections are ended. */
const IDLE_MS = 1_000;
const CONNECTIONS = 4;
/** The server is not there, or not there yet. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'PROTOCOL_CONNECTION_LOST',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * The node's database server, through its Unix socket as root: the only way in that needs no password. Values
 * travel as values, never as pieces of a statement; failures are told without the statement, which may hold
 * a password.
 */
export class DatabaseServer {
  readonly #socketPath: string;
  #pool: Pool | undefined;
  #underWay = 0;
  #idle: NodeJS.Timeout | undefined;
  #flavour: Flavour | undefined;
  #dataFolder: string | undefined;
  #isHeld = false;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  get installed(): boolean {
    return existsSync(this.#socketPath);
  }

  async flavour(): Promise<Flavour> {
    if (this.#flavour === undefined) {
      const [row] = await this.query<{ version: string }>('select version() as version');
      this.#flavour = row?.version.includes('MariaDB') === true ? 'mariadb' : 'mysql';
    }
    return this.#flavour;
  }

  /** Where it keeps its files; while it has not said yet, where Debian's does. */
  async dataFolder(): Promise<string> {
    if (this.#dataFolder === undefined && this.installed) {
      const asked = this.query<{ folder: string }>('select @@datadir as folder');
      this.#dataFolder = (await asked.catch(() => []))[0]?.folder.replace(/\/+$/, '');
    }
    return this.#dataFolder ?? DEBIANS_DATA_FOLDER;
  }

  /** Rows of a statement. Throws HostError, which names the server's error; retryable while it is away. */
  async query<Row>(
    sql: string,
    values: readonly unknown[] = [],
    timeoutMs = STATEMENT_TIMEOUT_MS,
  ): Promise<Row[]> {
    clearTimeout(this.#idle);
    this.#underWay += 1;
    this.#pool ??= connectionsTo(this.#socketPath);
    try {
      const [rows] = await this.#pool.query<RowDataPacket[]>({
        sql,
        values: [...values],
        timeout: timeoutMs,
      });
      return rows as Row[];
    } catch (error) {
      throw failureOf(error, this.#socketPath);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0 && !this.#isHeld)
        this.#idle = setTimeout(() => this.#hangUp(), IDLE_MS).unref();
    }
  }

  /**
   * Opens all connections that the agent uses, where they are not open, and keeps them until `letGo`: however full the
   * server is, the agent has its own. Gives their ids; fewer, where some were in use.
   */
  async hold(): Promise<ReadonlySet<number>> {
    this.#isHeld = true;
    const all = Array.from({ length: CONNECTIONS }, () =>
      this.query<{ id: number | string }>('select connection_id() as id'),
    );
    return new Set((await Promise.all(all)).map(([row]) => Number(row?.id)));
  }

  /** How many connections `hold` keeps. */
  get holds(): number {
    return CONNECTIONS;
  }

  letGo(): void {
    this.#isHeld = false;
    this.#idle = setTimeout(() => this.#hangUp(), 0).unref();
  }

  /** An open connection would keep the agent from ending. */
  #hangUp(): void {
    const pool = this.#pool;
    this.#pool = undefined;
    // What fails here is a connection that is gone already.
    void pool?.end().catch(() => {});
  }
}

function connectionsTo(socketPath: string): Pool {
  return createPool({
    socketPath,
    user: 'root',
    connectionLimit: CONNECTIONS,
    connectTimeout: 5_000,
    charset: 'utf8mb4',
    stringifyObjects: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
  });
}

/** The number of the server's error that a statement met; undefined for another failure. */
export function serverErrorOf(error: unknown): number | undefined {
  const cause = error instanceof HostError ? error.cause : error;
  const { errno } = (cause ?? {}) as { errno?: unknown };
  return typeof errno === 'number' ? errno : undefined;
}

function failureOf(error: unknown, socketPath: string): HostError {
  const { code = '', errno, sqlState } = error as { code?: string; errno?: number; sqlState?: string };
  if (AWAY.has(code))
    return new HostError('Failed', `The database server does not answer at ${socketPath} (${code}).`, {
      cause: { errno },
    });
  return new HostError('Failed', `The database server refused a statement: ${code} (${sqlState ?? errno}).`, {
    cause: { errno },
  });
}
