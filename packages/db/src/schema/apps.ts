import type { AppInstaller, AppRuntime, AppStatus } from '@innkeeper/domain';
import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

type AppState = 'running' | 'stopped' | 'removing';

/** Counted against the account's limit. */
export interface AppsTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  template_key: string;
  /** What its template said when it was installed. */
  runtime: ColumnType<AppRuntime, AppRuntime | undefined, never>;
  installer: ColumnType<AppInstaller, AppInstaller | undefined, never>;
  /** What is wanted. `removing` is a tombstone: the node has to take it away before the row goes. */
  state: ColumnType<AppState, AppState | undefined, AppState>;
  /** What the node last said; `pending` or `installing` before. */
  status: AppStatus;
  /** Why it failed, with the tail of its log. */
  status_reason: NullByDefault<string>;
  /** The domain whose site it is; a domain has one app at most. */
  domain_id: NullByDefault<number>;
  /** The database that was made for it and goes with it. */
  database_id: NullByDefault<number>;
  node_version: NullByDefault<string>;
  start_command: NullByDefault<string>;
  /** The release that shall serve; null: what the installer makes. */
  release_id: NullByDefault<number>;
  /** The release that serves. */
  served_release_id: NullByDefault<number>;
  git_repository: NullByDefault<string>;
  git_branch: NullByDefault<string>;
  sealed_git_deploy_key: NullByDefault<string>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** A value is plain or sealed, never both. */
export interface AppEnvVarsTable {
  id: Generated<number>;
  account_id: number;
  app_id: number;
  name: string;
  value: string | null;
  sealed_value: string | null;
}

/** What an app was deployed from. */
export interface AppReleasesTable {
  id: Generated<number>;
  account_id: number;
  app_id: number;
  source: 'zip' | 'git';
  /**
   * `uploading` until its archive is whole; `wanted` until its node has said how it went, or until another
   * one is wanted in its place.
   */
  state: 'uploading' | 'wanted' | 'served' | 'failed' | 'superseded';
  archive_sha256: string | null;
  archive_bytes: number | null;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** The archive of a release, in order; gone once its node has taken or refused it. */
export interface ReleaseArchiveChunksTable {
  release_id: number;
  /** From 0. */
  sequence: number;
  account_id: number;
  data: Buffer;
}
