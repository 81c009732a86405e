/**
 * The input of what operators do in the panel and with innctl. API v1 has no endpoint for it, but its fields are read
 * and refused in the same way.
 */
import {
  canonicalAddress,
  DOMAIN_NAME_PATTERN,
  FTP_LOGINS_HIGHEST_LIMIT,
  isEmailAddress,
  isStaffRole,
  abilities as knownAbilities,
  type Limit,
  limits,
  mailLimits,
  NODE_NAME_PATTERN,
  type PoolField,
  phpNumbers,
  poolFields,
  readBrandColor,
  type StaffRole,
  staffRoles,
  type TokenPreset,
  tokenPresets,
  USERNAME_PATTERN,
} from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from './endpoint.ts';
import { type FieldKind, nullable, optional, type Rule, required } from './fields/field.ts';
import { boolean, email, integer, text } from './fields/kinds.ts';

const ONE_LINE = 'The :attribute field must be one line without control characters.';
const line = (max: number) => text({ max, refusal: ONE_LINE });
/** Not trimmed: white space counts. */
const password = required(text({ min: 8, max: 255, keepsWhitespace: true, refusal: ONE_LINE }));

/** An integer. A wrong value has one error: that of the first rule that it breaks. */
function whole(bounds: { min: number; max: number }): FieldKind<number> {
  const { rules, ...kind } = integer(bounds);
  return { ...kind, rules: [(value) => rules.map((rule) => rule(value)).find((sentence) => sentence)] };
}

/** A required text in lowercase. `sentence` is its only error. */
function lowercase(
  accepts: (text: string) => boolean,
  sentence: string,
  read = (text: string): string => text,
) {
  const normal = (value: unknown) => read(String(value).trim().toLowerCase());
  const kind: FieldKind<string> = {
    rules: [(value) => (typeof value === 'string' && accepts(normal(value)) ? undefined : sentence)],
    read: normal,
    schema: { type: 'string' },
  };
  return required(kind, sentence);
}

/** An array of texts. `rule` checks the whole array. */
function texts(rule: (values: readonly string[]) => string | undefined): FieldKind<readonly string[]> {
  const isTexts = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === 'string');
  const rules: Rule[] = [
    (value) =>
      isTexts(value) ? rule(value as string[]) : 'The :attribute field must be an array of strings.',
  ];
  return { rules, read: (value) => value as string[], schema: { type: 'array', items: { type: 'string' } } };
}

/** One of several words. */
function choice<T extends string>(words: readonly T[]): FieldKind<T> {
  return {
    rules: [
      (value) =>
        words.some((word) => word === value)
          ? undefined
          : `The :attribute field must be one of ${words.join(', ')}.`,
    ],
    read: (value) => value as T,
    schema: { type: 'string', enum: [...words] },
  };
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** All limits under their names for packages. Null or omitted: unlimited, for limits that can be. */
const packageLimitFields = Object.fromEntries(
  limits.map((limit) => [
    limit.packageField,
    limit.unlimitable ? nullable(whole(limit)) : required(whole(limit)),
  ]),
) as {
  [L in Limit as L['packageField']]: L['unlimitable'] extends true
    ? ReturnType<typeof nullable<number>>
    : ReturnType<typeof required<number>>;
};

const slug = optional(
  text({
    max: 100,
    accepts: (slug) => SLUG.test(slug),
    refusal: 'The slug field must be letters a-z and digits with single dashes between them.',
  }),
);

/** How many FTP and SFTP logins each account may have. */
const max_ftp_logins = optional(whole({ min: 0, max: FTP_LOGINS_HIGHEST_LIMIT }));

export const newPackage = z.object({
  name: required(line(100)),
  /** Default: derived from the name. */
  slug,
  ...packageLimitFields,
  /** Default: false. */
  terminal_access: optional(boolean()),
  max_ftp_logins,
  /** Whether its accounts may connect to port 25 of other servers; default: false. Admins only. */
  smtp_port_25: optional(boolean()),
  /** Most recipients of mail in an hour and on a day; 0: none. Default: 100 and 500. Admins only. */
  mail_per_hour: optional(whole(mailLimits.mail_per_hour)),
  mail_per_day: optional(whole(mailLimits.mail_per_day)),
  /** Internal package for accounts with custom limits, not for sale. Admins only. */
  is_internal: optional(boolean()),
  /** The reseller that owns the package. Default: the calling reseller, or the admin. Admins only. */
  owner: optional(text({ max: 255 })),
  /** Other resellers that can sell it. Admins only. */
  resellers: optional(texts(() => undefined)),
});
export type CreatePackageInput = InputOf<typeof newPackage>;

/** What happens to the accounts that have a package when its limits change. */
const packageFollowers = ['follow', 'keep'] as const;

export const changedPackage = z.object({
  name: required(line(100)),
  /** Omitted: no change. */
  slug,
  ...packageLimitFields,
  /** Default: false. */
  terminal_access: optional(boolean()),
  /** Omitted: no change. Accounts always have that of their package. */
  max_ftp_logins,
  /** `follow`: the accounts get the new limits. `keep`: they keep their present ones. */
  accounts: required(choice(packageFollowers)),
});
export type ChangePackageInput = InputOf<typeof changedPackage>;

/** An admin or a reseller. */
export const newStaffUser = z.object({
  username: lowercase(
    (name) => USERNAME_PATTERN.test(name),
    'The username field must be 3-16 letters a-z, digits, dashes and underscores.',
  ),
  /** Default: the username. */
  name: optional(line(100)),
  /** Unique among admins, resellers and end users. */
  email: required(email()),
  password,
});
export type PanelUserInput = InputOf<typeof newStaffUser>;

/** A person of the staff, who sets the password with a link. */
export const newStaffPerson = newStaffUser.omit({ password: true }).extend({
  role: required<StaffRole>({
    rules: [(value) => (isStaffRole(String(value)) ? undefined : 'The selected role is invalid.')],
    read: (value) => value as StaffRole,
    schema: { type: 'string', enum: [...staffRoles] },
  }),
});
export type StaffPersonInput = InputOf<typeof newStaffPerson>;

export const newPassword = z.object({ password });

/** What every user of the panel changes of itself. */
export const ownProfile = z.object({ name: required(line(100)), email: required(email()) });
export type ProfileInput = InputOf<typeof ownProfile>;

const URL_MAX = 500;

/** How the panel looks for the customers of the installation or of a reseller. */
export const brandSettings = z.object({
  name: required(line(60)),
  /** `#rrggbb`. Omitted: the color of the product. */
  color: optional(
    text({
      max: 7,
      accepts: (color) => readBrandColor(color) !== undefined,
      read: (color) => readBrandColor(color) ?? '',
      refusal: 'The color field must be a color such as #7a3cff.',
    }),
  ),
  support_url: optional(
    text({
      max: URL_MAX,
      accepts: isSupportUrl,
      refusal: 'The support link must be an https:// or http:// address, or mailto: with an email address.',
    }),
  ),
  /** Host name under which visitors see the brand before they sign in. Admins only. */
  host: optional(
    text({
      max: 253,
      accepts: (host) => DOMAIN_NAME_PATTERN.test(host.toLowerCase()),
      read: (host) => host.toLowerCase(),
      refusal: 'The host field must be a host name such as panel.example.com.',
    }),
  ),
});
export type BrandInput = InputOf<typeof brandSettings>;

/** A link of a page: a scheme that cannot run a script, and no credentials. */
function isSupportUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || /[\s"'<>`]/.test(url)) return false;
  if (parsed.protocol === 'mailto:') return isEmailAddress(parsed.pathname) && parsed.search === '';
  const isWeb = parsed.protocol === 'https:' || parsed.protocol === 'http:';
  return isWeb && parsed.hostname !== '' && parsed.username === '' && parsed.password === '';
}

/** The mail server of the installation. */
export const mailSettings = z.object({
  host: lowercase(
    (host) => host === 'localhost' || canonicalAddress(host) !== undefined || DOMAIN_NAME_PATTERN.test(host),
    'The host field must be a host name with a dot, an IP address or localhost.',
    (host) => canonicalAddress(host) ?? host,
  ),
  port: required(whole({ min: 1, max: 65_535 })),
  encryption: required(choice(['tls', 'starttls', 'none'] as const)),
  /** Omitted: the server wants no sign-in. */
  username: optional(line(255)),
  /** Omitted: the stored one, for the same server and username. */
  smtp_password: optional(text({ max: 255, keepsWhitespace: true, refusal: ONE_LINE })),
  sender_name: required(line(100)),
  sender_address: required(email()),
  /** Whether accounts that the REST API creates get a welcome mail. */
  welcomes_api_accounts: optional(boolean()),
});
export type MailSettingsInput = InputOf<typeof mailSettings>;

/** The limits of mail that a package has: its accounts follow them at once. */
export const packageMail = z.object({
  mail_per_hour: required(whole(mailLimits.mail_per_hour)),
  mail_per_day: required(whole(mailLimits.mail_per_day)),
});

/** The mail server that takes the mail of hosting accounts. */
export const mailRelay = z.object({
  host: lowercase(
    (host) => host === 'localhost' || canonicalAddress(host) !== undefined || DOMAIN_NAME_PATTERN.test(host),
    'The host field must be a host name with a dot, an IP address or localhost.',
    (host) => canonicalAddress(host) ?? host,
  ),
  port: required(whole({ min: 1, max: 65_535 })),
  encryption: required(choice(['tls', 'starttls', 'none'] as const)),
  /** Omitted: the relay wants no sign-in. */
  username: optional(
    text({
      max: 255,
      accepts: (name) => !name.includes(':'),
      refusal: 'The username field must be one line without a colon.',
    }),
  ),
  /** Omitted: the stored one, for the same server and username. */
  relay_password: optional(
    text({
      max: 255,
      keepsWhitespace: true,
      accepts: (password) => password === password.trim(),
      refusal:
        'The relay password field must be one line without control characters, and without blanks at its ends.',
    }),
  ),
  /** Omitted: the host name of each server. */
  sender_domain: optional(
    text({
      max: 253,
      accepts: (name) => DOMAIN_NAME_PATTERN.test(name.toLowerCase()),
      read: (name) => name.toLowerCase(),
      refusal: 'The sender domain field must be a domain such as mail.example.com.',
    }),
  ),
});
export type MailRelayInput = InputOf<typeof mailRelay>;

export const mailRelayTest = z.object({ to: required(email()) });

/** What owners of sites can set for PHP. */
export const phpLimits = z.object({
  memory_limit_mb: required(whole(phpNumbers.memory_limit_mb)),
  upload_mb: required(whole(phpNumbers.upload_mb)),
  execution_s: required(whole(phpNumbers.execution_s)),
  input_vars: required(whole(phpNumbers.input_vars)),
  /** Whether visitors may see errors of PHP. Default: false. */
  display_errors: optional(boolean()),
});
export type PhpLimitsInput = InputOf<typeof phpLimits>;

export const newNode = z.object({
  name: lowercase(
    (name) => NODE_NAME_PATTERN.test(name),
    'The name field must be 1-63 letters a-z, digits and dashes, with a letter among them and no dash first.',
  ),
  /** Where sites are reached. */
  address: lowercase(
    (address) => canonicalAddress(address) !== undefined || DOMAIN_NAME_PATTERN.test(address),
    'The address field must be an IPv4 or IPv6 address or a host name with a dot.',
    (address) => canonicalAddress(address) ?? address.replace(/\.$/, ''),
  ),
});
export type AddNodeInput = InputOf<typeof newNode>;

/** In MiB: 128 TiB of memory and 4 PiB of disk, the same as for reported values. */
const MEMORY_MAX_MB = 128 * 1024 ** 2;
const DISK_MAX_MB = 4 * 1024 ** 3;

/** Maximum for placement in MiB. Null: the reported value. Omitted: no change. */
export const nodeCapacity = z.object({
  memory_mb: nullable(whole({ min: 1, max: MEMORY_MAX_MB })),
  disk_mb: nullable(whole({ min: 1, max: DISK_MAX_MB })),
});

const POOL_MAX_SIZE = 1_000_000_000_000;

/** Null: not pooled. Omitted: no change. */
export const poolChange = z.object({
  overselling: optional(boolean()),
  ...(Object.fromEntries(
    poolFields.map((field) => [field, nullable(whole({ min: 0, max: POOL_MAX_SIZE }))]),
  ) as { [Field in PoolField]: ReturnType<typeof nullable<number>> }),
});

const grantable: readonly string[] = ['*', ...knownAbilities];

export const newToken = z.object({
  /** Username of the admin or reseller that the token acts as. A reseller creates tokens only for itself. */
  user: required(text({ max: 255 })),
  name: required(line(100)),
  /** Purpose in one word. Default: `api`. */
  purpose: optional(line(32)),
  /** Either a preset or abilities (which make it `custom`). */
  preset: optional<TokenPreset>(choice(tokenPresets)),
  /** `*` means all abilities. A token with an empty list can do nothing. */
  abilities: optional(
    texts(
      (abilities) =>
        abilities
          .filter((ability) => !grantable.includes(ability))
          .map((ability) => `"${ability.slice(0, 50)}" is no ability; there are ${grantable.join(', ')}.`)
          .join(' ') || undefined,
    ),
  ),
  /** Days until it stops working. Null or omitted: it has no end. */
  expires_in_days: nullable(whole({ min: 1, max: 3_650 })),
});
