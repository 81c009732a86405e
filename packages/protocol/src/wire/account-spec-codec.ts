import { isDeepStrictEqual } from 'node:util';
import { nodeLimits } from '@innkeeper/domain';
import {
  type AccountSpec,
  type AccountSpecLimits,
  type AppSpec,
  noMail,
  type PhpSettings,
  plainPhp,
  plainSite,
  type SiteSettings,
} from '../account-spec.ts';
import { integerFromWire, uint32ToWire, uint64ToWire } from './integers.ts';
import type * as wire from './node.gen.ts';

/** Encodes a spec for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeAccountSpec(spec: AccountSpec): wire.AccountSpec {
  return {
    account_id: uint64ToWire(spec.account_id, 'account_id'),
    generation: uint64ToWire(spec.generation, 'generation'),
    desired_state: spec.desired_state,
    linux_user: spec.linux_user,
    uid: uint32ToWire(spec.uid, 'uid'),
    terminal_access: spec.terminal_access,
    password_hash: spec.password_hash,
    limits: encodeLimits(spec.limits),
    domains: spec.domains.map((domain) => ({
      domain_id: uint64ToWire(domain.domain_id, 'domain_id'),
      name: domain.name,
      is_primary: domain.is_primary,
      desired_state: domain.desired_state,
      certificate_revision: uint32ToWire(domain.certificate_revision, 'certificate_revision'),
      alias_of: uint64ToWire(domain.alias_of ?? 0, 'alias_of'),
      site: isDeepStrictEqual(domain.site, plainSite) ? null : encodeSite(domain.site),
    })),
    databases: spec.databases.map((database) => ({
      database_id: uint64ToWire(database.database_id, 'database_id'),
      db_name: database.db_name,
      password: database.password,
      password_revision: uint32ToWire(database.password_revision, 'password_revision'),
      allowed_ips: [...database.allowed_ips],
      desired_state: database.desired_state,
    })),
    cron_jobs: spec.cron_jobs.map((job) => ({
      cron_job_id: uint64ToWire(job.cron_job_id, 'cron_job_id'),
      schedule: job.schedule,
      command: job.command,
      enabled: job.enabled,
    })),
    ssh_keys: [...spec.ssh_keys],
    ftp_logins: spec.ftp_logins.map(({ password_hash, public_keys, ...login }) => ({
      ...login,
      password_hash: password_hash ?? '',
      public_keys: [...public_keys],
    })),
    apps: spec.apps.map(encodeApp),
    creation_id: spec.creation_id,
    smtp_port_25: spec.smtp_port_25,
    mail: isDeepStrictEqual(spec.mail, noMail)
      ? null
      : {
          per_hour: uint32ToWire(spec.mail.per_hour, 'per_hour'),
          per_day: uint32ToWire(spec.mail.per_day, 'per_day'),
        },
  };
}

/** Decodes a wire message into the shape of an AccountSpec. Untrusted: parse it with accountSpecSchema. */
export function decodeAccountSpec(message: wire.AccountSpec): unknown {
  return {
    ...message,
    account_id: integerFromWire(message.account_id),
    generation: integerFromWire(message.generation),
    limits: message.limits === null ? null : decodeLimits(message.limits),
    domains: message.domains.map((domain) => ({
      ...domain,
      domain_id: integerFromWire(domain.domain_id),
      alias_of: idOrNull(domain.alias_of),
      site: domain.site === null ? plainSite : decodeSite(domain.site),
    })),
    databases: message.databases.map((database) => ({
      ...database,
      database_id: integerFromWire(database.database_id),
    })),
    cron_jobs: message.cron_jobs.map((job) => ({ ...job, cron_job_id: integerFromWire(job.cron_job_id) })),
    ftp_logins: message.ftp_logins.map((login) => ({
      ...login,
      password_hash: login.password_hash === '' ? null : login.password_hash,
    })),
    apps: message.apps.map(decodeApp),
    mail: message.mail ?? noMail,
  };
}

function encodeSite({ keeps_http, redirect, document_root, password, php }: SiteSettings): wire.SiteSettings {
  return {
    keeps_http,
    redirect: redirect && { ...redirect, status: uint32ToWire(redirect.status, 'status') },
    document_root: document_root ?? '',
    password: password && { ...password, folder: password.folder ?? '' },
    php: isDeepStrictEqual(php, plainPhp) ? null : encodePhp(php),
  };
}

function encodePhp(php: PhpSettings): wire.PhpSettings {
  return {
    memory_limit_mb: uint32ToWire(php.memory_limit_mb ?? 0, 'memory_limit_mb'),
    upload_mb: uint32ToWire(php.upload_mb ?? 0, 'upload_mb'),
    execution_s: uint32ToWire(php.execution_s ?? 0, 'execution_s'),
    input_vars: uint32ToWire(php.input_vars ?? 0, 'input_vars'),
    display_errors: php.display_errors,
    time_zone: php.time_zone ?? '',
    cache_revision: uint32ToWire(php.cache_revision, 'cache_revision'),
  };
}

function decodePhp(php: wire.PhpSettings): unknown {
  return {
    ...php,
    memory_limit_mb: php.memory_limit_mb || null,
    upload_mb: php.upload_mb || null,
    execution_s: php.execution_s || null,
    input_vars: php.input_vars || null,
    time_zone: php.time_zone || null,
  };
}

function decodeSite({ keeps_http, redirect, document_root, password, php }: wire.SiteSettings): unknown {
  return {
    keeps_http,
    redirect,
    document_root: document_root === '' ? null : document_root,
    password: password && { ...password, folder: password.folder === '' ? null : password.folder },
    php: php === null ? plainPhp : decodePhp(php),
  };
}

/** Null is sent as 0 or as empty, which none of these fields has as a real value. */
function encodeApp(app: AppSpec): wire.AppSpec {
  return {
    ...app,
    app_id: uint64ToWire(app.app_id, 'app_id'),
    domain_id: uint64ToWire(app.domain_id ?? 0, 'domain_id'),
    database_id: uint64ToWire(app.database_id ?? 0, 'database_id'),
    node_version: app.node_version ?? '',
    retries: uint32ToWire(app.retries, 'retries'),
    env: app.env.map(({ name, value, is_secret }) => ({ name, value, is_secret })),
    release:
      app.release === null
        ? null
        : {
            ...app.release,
            release_id: uint64ToWire(app.release.release_id, 'release_id'),
            archive_bytes: uint64ToWire(app.release.archive_bytes, 'archive_bytes'),
          },
  };
}

function decodeApp(app: wire.AppSpec): unknown {
  return {
    ...app,
    app_id: integerFromWire(app.app_id),
    domain_id: idOrNull(app.domain_id),
    database_id: idOrNull(app.database_id),
    node_version: app.node_version === '' ? null : app.node_version,
    release:
      app.release === null
        ? null
        : {
            ...app.release,
            release_id: integerFromWire(app.release.release_id),
            archive_bytes: integerFromWire(app.release.archive_bytes),
          },
  };
}

function idOrNull(text: string): number | string | null {
  return text === '0' ? null : integerFromWire(text);
}

/** An unlimited limit is sent as an unset field. */
function encodeLimits(limits: AccountSpecLimits): wire.Limits {
  const message: Partial<wire.Limits> = {};
  for (const { packageField } of nodeLimits) {
    const value = limits[packageField];
    if (value !== null) message[packageField] = uint32ToWire(value, packageField);
  }
  return message as wire.Limits;
}

function decodeLimits(message: wire.Limits): unknown {
  return Object.fromEntries(
    nodeLimits.map(({ packageField }) => [packageField, message[packageField] ?? null]),
  );
}
