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
  /** Runtime of its template at the time of the install. */
  runtime: ColumnType<AppRuntime, AppRuntime | undefined, never>;
  installer: ColumnType<AppInstaller, AppInstaller | undefined, never>;
  /** Desired state. `removing` is a tombstone: the row is deleted after the node reports the app gone. */
  state: ColumnType<AppState, AppState | undefined, AppState>;
  /** Status of the node's last report. `pending` or `installing` before the first. */
  status: AppStatus;
  /** Reason of a failure, with the tail of the log. */
  status_reason: NullByDefault<string>;
  /** The domain of its site. A domain has at most one app. */
  domain_id: NullByDefault<number>;
  /** The app's own database, which is removed with it. */
  database_id: NullByDefault<number>;
  node_version: NullByDefault<string>;
  start_command: NullByDefault<string>;
  /** The wanted release. Null: the output of the installer. */
  release_id: NullByDefault<number>;
  /** The release that serves now. */
  served_release_id: NullByDefault<number>;
  git_repository: NullByDefault<string>;
  git_branch: NullByDefault<string>;
  sealed_git_deploy_key: NullByDefault<string>;
  /** Of the push hook. Null: there is none. */
  sealed_push_secret: NullByDefault<string>;
  /** How often somebody wanted it tried again after a failure. */
  retries: Generated<number>;
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

/** A deployment of an app. */
export interface AppReleasesTable {
  id: Generated<number>;
  account_id: number;
  app_id: number;
  source: 'zip' | 'git';
  /**
   * `uploading` until its archive is complete. `wanted` until the node reports the result, or until another release is
   * wanted.
   */
  state: 'uploading' | 'wanted' | 'served' | 'failed' | 'superseded';
  archive_sha256: string | null;
  archive_bytes: number | null;
  /** What the node cloned for a release of Git. */
  commit_hash: NullByDefault<string>;
  commit_author: NullByDefault<string>;
  commit_subject: NullByDefault<string>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** The archive of a release, in order. Deleted after the node has accepted or refused it. */
export interface ReleaseArchiveChunksTable {
  release_id: number;
  /** Starts at 0. */
  sequence: number;
  account_id: number;
  data: Buffer;
}
