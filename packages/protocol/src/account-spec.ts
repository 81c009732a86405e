import {
  ALLOWED_IPS_PER_DATABASE,
  APPS_PER_ACCOUNT,
  ARCHIVE_HIGHEST_LIMIT_BYTES,
  appRuntimes,
  CRON_COMMAND_MAX_CHARACTERS,
  CRON_JOBS_PER_ACCOUNT,
  CRON_SCHEDULE_MAX_CHARACTERS,
  canonicalAddress,
  DATABASE_NAME_PATTERN,
  DATABASE_PASSWORD_PATTERN,
  DATABASES_PER_ACCOUNT,
  DOMAIN_NAME_PATTERN,
  DOMAINS_PER_ACCOUNT,
  ENV_NAME_MAX_CHARACTERS,
  ENV_NAME_PATTERN,
  ENV_VALUE_MAX_CHARACTERS,
  ENV_VARS_PER_APP,
  FOLDER_PATTERN,
  FTP_LOGIN_KEYS,
  FTP_LOGINS_HIGHEST_LIMIT,
  GIT_BRANCH_PATTERN,
  isAccountUid,
  isFtpLoginName,
  isGitRepository,
  isPrintableLine,
  isPrintableText,
  isSshKeyLine,
  LINUX_USER_PATTERN,
  mailLimits,
  NODE_VERSION_PATTERN,
  type NodeLimit,
  nodeLimits,
  phpNumbers,
  readRedirectUrl,
  readStartCommand,
  redirectStatuses,
  SITE_USER_PATTERN,
  SSH_KEY_MAX_CHARACTERS,
  SSH_KEYS_PER_ACCOUNT,
  START_COMMAND_MAX_CHARACTERS,
  TIME_ZONE_PATTERN,
} from '@innkeeper/domain';
import { z } from 'zod';

/**
 * Schema of the spec of one account. The agent parses everything from the control plane with it before use, so that a
 * compromised control plane cannot set a uid, path or host name that the schema does not allow. A field that a later
 * release added has a default, so that an agent can read specs that an earlier release stored.
 */
const id = z.int().min(1);
const revision = z.int().min(0).max(0xffff_ffff);
const childState = z.enum(['active', 'absent']);
const line = (max: number) => z.string().max(max).refine(isPrintableLine, 'not one printable line');

type NodeLimitSchema<L extends NodeLimit> = L['unlimitable'] extends true
  ? z.ZodDefault<z.ZodNullable<z.ZodInt>>
  : z.ZodInt;

/** A limit that is missing in a spec of an older release is unlimited, as on the wire. */
export const limitsSchema = z.strictObject(
  Object.fromEntries(
    nodeLimits.map(({ packageField, max, unlimitable }) => {
      const value = z.int().min(1).max(max);
      return [packageField, unlimitable ? value.nullable().default(null) : value];
    }),
  ) as { [L in NodeLimit as L['packageField']]: NodeLimitSchema<L> },
);

/** SHA-512 crypt(3) with default or explicit rounds: at most 999,999, which take sshd about 1 s. */
const passwordHash = z.string().regex(/^\$6\$(?:rounds=\d{4,6}\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{86}$/);

const phpNumber = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max).nullable();

/** Settings of PHP for one site. Null: the default of the account's PHP. Numbers, a switch and a name: never text. */
export const phpSettingsSchema = z.strictObject({
  memory_limit_mb: phpNumber(phpNumbers.memory_limit_mb),
  upload_mb: phpNumber(phpNumbers.upload_mb),
  execution_s: phpNumber(phpNumbers.execution_s),
  input_vars: phpNumber(phpNumbers.input_vars),
  display_errors: z.boolean(),
  time_zone: z.string().regex(TIME_ZONE_PATTERN).nullable(),
  /** Raised to empty PHP's cache of compiled files. */
  cache_revision: revision,
});
export type PhpSettings = z.infer<typeof phpSettingsSchema>;

export const plainPhp: PhpSettings = {
  memory_limit_mb: null,
  upload_mb: null,
  execution_s: null,
  input_vars: null,
  display_errors: false,
  time_zone: null,
  cache_revision: 0,
};

/** What the owner of a site has set. A site without settings has `plainSite`. */
export const siteSettingsSchema = z.strictObject({
  /** Whether HTTP is not redirected to HTTPS while the site has a certificate. */
  keeps_http: z.boolean(),
  redirect: z
    .strictObject({
      url: z.string().refine((url) => readRedirectUrl(url) === url, 'not a URL to redirect to'),
      status: z.literal(redirectStatuses),
      /** Whether the path and the query of the request are added. */
      keeps_path: z.boolean(),
    })
    .nullable(),
  /** Below the home. Null: the folder of the domain. */
  document_root: z.string().regex(FOLDER_PATTERN).nullable(),
  password: z
    .strictObject({
      /** Below the document root, as in a URL. Null: the whole site. */
      folder: z.string().regex(FOLDER_PATTERN).nullable(),
      user: z.string().regex(SITE_USER_PATTERN),
      hash: passwordHash,
    })
    .nullable(),
  php: phpSettingsSchema.default(plainPhp),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema>;

export const plainSite: SiteSettings = {
  keeps_http: false,
  redirect: null,
  document_root: null,
  password: null,
  php: plainPhp,
};

export const noMail = { per_hour: 0, per_day: 0 };

export const domainSpecSchema = z.strictObject({
  domain_id: id,
  name: z.string().regex(DOMAIN_NAME_PATTERN),
  is_primary: z.boolean(),
  desired_state: childState,
  /** Above 0: a certificate is wanted. Above the issued revision: a new one is wanted. */
  certificate_revision: revision.default(0),
  /** The domain of the account whose site is shown under this name too. Null: the domain has a site of its own. */
  alias_of: id.nullable().default(null),
  site: siteSettingsSchema.default(plainSite),
});

export const databaseSpecSchema = z.strictObject({
  database_id: id,
  /** Name of the database and of its user. */
  db_name: z.string().regex(DATABASE_NAME_PATTERN),
  password: z.string().regex(DATABASE_PASSWORD_PATTERN),
  /** Raised with every new password. */
  password_revision: revision.min(1),
  /** Addresses that may connect remotely. */
  allowed_ips: z
    .array(z.string().refine((ip) => canonicalAddress(ip) === ip, 'not a canonical address'))
    .max(ALLOWED_IPS_PER_DATABASE),
  desired_state: childState,
});

export const cronJobSpecSchema = z.strictObject({
  cron_job_id: id,
  schedule: z
    .string()
    .max(CRON_SCHEDULE_MAX_CHARACTERS)
    .regex(
      /^(?:@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)|[0-9A-Za-z*,/-]+(?: [0-9A-Za-z*,/-]+){4})$/,
    ),
  /** In characters. Only a shell that runs as the account may interpret it. */
  command: line(2 * CRON_COMMAND_MAX_CHARACTERS).min(1),
  enabled: z.boolean(),
});

const publicKey = z.string().max(SSH_KEY_MAX_CHARACTERS).refine(isSshKeyLine, 'not a public key');

export const ftpLoginSpecSchema = z.strictObject({
  /** Of the account: the schema of the spec checks it. */
  name: z.string().max(32),
  /** Below the home. */
  folder: z.string().regex(FOLDER_PATTERN),
  /** Null: only keys log in. */
  password_hash: passwordHash.nullable(),
  /** As `type base64`. */
  public_keys: z.array(publicKey).max(FTP_LOGIN_KEYS),
});

export const releaseSpecSchema = z.strictObject({
  release_id: id,
  source: z.enum(['zip', 'git']),
  /** For a zip. Empty and 0 for git. */
  archive_sha256: z.string().regex(/^(?:[0-9a-f]{64})?$/),
  archive_bytes: z.int().min(0).max(ARCHIVE_HIGHEST_LIMIT_BYTES),
  /** For git. Empty for a zip. */
  git_repository: line(500).refine(
    (address) => address === '' || isGitRepository(address),
    'not the address of a repository, or with credentials in it',
  ),
  git_branch: z.union([z.literal(''), z.string().regex(GIT_BRANCH_PATTERN)]),
  /** Private key in OpenSSH or PEM format. Empty: none. */
  git_deploy_key: z
    .string()
    .max(20_000)
    .regex(/^[\x20-\x7e\n]*$/),
});

export const appSpecSchema = z.strictObject({
  app_id: id,
  template_key: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  runtime: z.enum(appRuntimes),
  /** The installer of an app without a release. */
  installer: z.enum(['starter', 'wordpress']),
  desired_state: z.enum(['running', 'stopped', 'absent']),
  /** A domain of this account. Null: the app has no domain. */
  domain_id: id.nullable(),
  /** The app's own database, of this account. */
  database_id: id.nullable(),
  /** Major version. Null except for Node.js. */
  node_version: z.string().regex(NODE_VERSION_PATTERN).nullable(),
  /** Empty except for Node.js. */
  start_command: line(START_COMMAND_MAX_CHARACTERS).refine(
    (command) => command === '' || readStartCommand(command).words !== undefined,
    'not a command that no shell reads',
  ),
  env: z
    .array(
      z.strictObject({
        name: z.string().max(ENV_NAME_MAX_CHARACTERS).regex(ENV_NAME_PATTERN),
        value: z
          .string()
          .max(2 * ENV_VALUE_MAX_CHARACTERS)
          .refine(isPrintableText, 'not printable text'),
        is_secret: z.boolean(),
      }),
    )
    .max(ENV_VARS_PER_APP),
  /** Null: the output of the installer. */
  release: releaseSpecSchema.nullable(),
  /** Raised when somebody wants a failed app tried again: a failure of a lower number is over. */
  retries: z.int().min(0).max(65_535).default(0),
});

export const accountSpecSchema = z
  .strictObject({
    account_id: id,
    generation: id,
    desired_state: z.enum(['active', 'suspended', 'absent']),
    linux_user: z.string().regex(LINUX_USER_PATTERN),
    uid: z.int().refine(isAccountUid, 'not a uid of an account'),
    terminal_access: z.boolean(),
    password_hash: passwordHash,
    limits: limitsSchema,
    domains: z.array(domainSpecSchema).max(DOMAINS_PER_ACCOUNT),
    databases: z.array(databaseSpecSchema).max(DATABASES_PER_ACCOUNT).default([]),
    cron_jobs: z.array(cronJobSpecSchema).max(CRON_JOBS_PER_ACCOUNT).default([]),
    /** Public keys that may log in, as `type base64`. */
    ssh_keys: z.array(publicKey).max(SSH_KEYS_PER_ACCOUNT).default([]),
    /** Additional logins for FTP and SFTP. */
    ftp_logins: z.array(ftpLoginSpecSchema).max(FTP_LOGINS_HIGHEST_LIMIT).default([]),
    apps: z.array(appSpecSchema).max(APPS_PER_ACCOUNT).default([]),
    /** Identifies the creation of the account. Empty if an earlier release created or stored it. */
    creation_id: z
      .string()
      .regex(/^(?:[0-9a-f]{32})?$/)
      .default(''),
    /** Whether sockets of the account may connect to port 25 of other servers. */
    smtp_port_25: z.boolean().default(false),
    /** Most recipients of the mail that the account sends; 0: it may send none. */
    mail: z
      .strictObject({
        per_hour: z.int().min(0).max(mailLimits.mail_per_hour.max),
        per_day: z.int().min(0).max(mailLimits.mail_per_day.max),
      })
      .default(noMail),
  })
  .superRefine((spec, ctx) => {
    const unique = (path: string, keys: (string | number)[]) => {
      if (new Set(keys).size !== keys.length)
        ctx.addIssue({ code: 'custom', path: [path], message: 'something stands twice' });
    };
    unique(
      'domains',
      spec.domains.map(({ name }) => name),
    );
    unique(
      'databases',
      spec.databases.map(({ db_name }) => db_name),
    );
    unique(
      'cron_jobs',
      spec.cron_jobs.map(({ cron_job_id }) => cron_job_id),
    );
    unique(
      'apps',
      spec.apps.map(({ app_id }) => app_id),
    );
    unique(
      'ftp_logins',
      spec.ftp_logins.map(({ name }) => name),
    );
    for (const [index, { name }] of spec.ftp_logins.entries())
      if (!isFtpLoginName(name, spec.linux_user))
        ctx.addIssue({
          code: 'custom',
          path: ['ftp_logins', index, 'name'],
          message: 'not a name of the account',
        });
    const databases = new Set(spec.databases.map(({ database_id }) => database_id));
    const domains = new Set(spec.domains.map(({ domain_id }) => domain_id));
    const sites = new Set(
      spec.domains.flatMap(({ domain_id, alias_of }) => (alias_of === null ? domain_id : [])),
    );
    for (const [index, { alias_of }] of spec.domains.entries())
      if (alias_of !== null && !sites.has(alias_of))
        ctx.addIssue({
          code: 'custom',
          path: ['domains', index, 'alias_of'],
          message: 'not a site of the spec',
        });
    for (const [index, { domain_id, database_id }] of spec.apps.entries()) {
      if (domain_id !== null && !domains.has(domain_id))
        ctx.addIssue({ code: 'custom', path: ['apps', index, 'domain_id'], message: 'not in the spec' });
      if (database_id !== null && !databases.has(database_id))
        ctx.addIssue({ code: 'custom', path: ['apps', index, 'database_id'], message: 'not in the spec' });
    }
  });

export type AccountSpec = z.infer<typeof accountSpecSchema>;
export type AccountSpecLimits = z.infer<typeof limitsSchema>;
export type DomainSpec = z.infer<typeof domainSpecSchema>;
export type DatabaseSpec = z.infer<typeof databaseSpecSchema>;
export type AppSpec = z.infer<typeof appSpecSchema>;
export type FtpLoginSpec = z.infer<typeof ftpLoginSpecSchema>;
export type ReleaseSpec = z.infer<typeof releaseSpecSchema>;
export type DesiredState = AccountSpec['desired_state'];
