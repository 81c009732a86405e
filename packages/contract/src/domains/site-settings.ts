/** The settings of a site: forms of the panel. API v1 has no endpoint for them. */
import {
  DOMAIN_NAME_MAX_CHARACTERS,
  phpNumbers,
  phpTimeZones,
  REDIRECT_URL_MAX_CHARACTERS,
  readFolder,
  readRedirectUrl,
  SITE_PASSWORD_MAX_CHARACTERS,
  SITE_PASSWORD_MIN_CHARACTERS,
  SITE_USER_PATTERN,
} from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { optional, required } from '../fields/field.ts';
import { boolean, choice, integer, text } from '../fields/kinds.ts';
import { domainName } from './requests.ts';

const FOLDER_RULE =
  'The :attribute field must be a folder: names of letters a-z, digits, dots, dashes and underscores with slashes between them. No name may begin with a dot.';

/** Reads and checks a folder: no name begins with a dot, so none is `..`. */
const folder = () =>
  text({
    max: DOMAIN_NAME_MAX_CHARACTERS,
    accepts: (typed) => readFolder(typed) !== undefined,
    read: (typed) => readFolder(typed) ?? '',
    refusal: FOLDER_RULE,
  });

export const httpsSetting = z.object({
  /** Default: false. */
  https_redirect: optional(boolean()),
});

export const redirectSetting = z.object({
  redirect_url: required(
    text({
      max: REDIRECT_URL_MAX_CHARACTERS,
      accepts: (typed) => readRedirectUrl(typed) !== undefined,
      read: (typed) => readRedirectUrl(typed) ?? '',
      refusal:
        'The :attribute field must be a URL that begins with http:// or https:// and a domain name, without a user, a # and empty parts.',
    }),
  ),
  redirect_status: required(choice(['301', '302'])),
  /** Whether the path and the query of the request are added. Default: false. */
  redirect_keeps_path: optional(boolean()),
});

/** Omitted: the folder of the domain. */
export const documentRootSetting = z.object({ document_root: optional(folder()) });

export const passwordSetting = z.object({
  /** Omitted: the whole site. */
  password_folder: optional(folder()),
  password_user: required(
    text({
      max: 64,
      accepts: (typed) => SITE_USER_PATTERN.test(typed),
      refusal:
        'The :attribute field must be letters a-z, digits, dots, dashes, underscores and @, at most 64.',
    }),
  ),
  /** Not trimmed: white space counts. */
  password: required(
    text({
      min: SITE_PASSWORD_MIN_CHARACTERS,
      max: SITE_PASSWORD_MAX_CHARACTERS,
      keepsWhitespace: true,
      refusal: 'The :attribute field must be one line without control characters.',
    }),
  ),
});

/** Omitted: the default. The operator and the account's memory can allow less. */
export const phpSetting = z.object({
  memory_limit_mb: optional(integer(phpNumbers.memory_limit_mb)),
  upload_mb: optional(integer(phpNumbers.upload_mb)),
  execution_s: optional(integer(phpNumbers.execution_s)),
  input_vars: optional(integer(phpNumbers.input_vars)),
  /** Default: false. */
  display_errors: optional(boolean()),
  time_zone: optional(choice(phpTimeZones)),
});

export const newAlias = z.object({ domain_name: required(domainName()) });

export type RedirectInput = InputOf<typeof redirectSetting>;
export type PhpInput = InputOf<typeof phpSetting>;
export type PasswordInput = InputOf<typeof passwordSetting>;
