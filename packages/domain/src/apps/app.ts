/** The runtime of an app: the account's PHP, nginx only, or its own process. */
export const appRuntimes = ['php', 'static', 'nodejs'] as const;
export type AppRuntime = (typeof appRuntimes)[number];

/** The installer of an app without a deploy: starter files, or WordPress. */
export const appInstallers = ['starter', 'wordpress'] as const;
export type AppInstaller = (typeof appInstallers)[number];

/** Every status of an app in the API. */
export const appStatuses = [
  'pending',
  'installing',
  'building',
  'updating',
  'starting',
  'stopping',
  'running',
  'stopped',
  'failed',
  'removing',
] as const;
export type AppStatus = (typeof appStatuses)[number];

/** Number of served releases that a node keeps per app, including the active one. */
export const RELEASES_KEPT = 3;

/** Names of environment variables, as shells accept them. */
export const ENV_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const ENV_NAME_MAX_CHARACTERS = 128;
export const ENV_VALUE_MAX_CHARACTERS = 8_192;
/** Maximum number of characters of all values of one app. */
export const ENV_TOTAL_MAX_CHARACTERS = 32_768;
/** Maximum number of variables of one app. */
export const ENV_VARS_PER_APP = 200;

/** Whether the name alone indicates that a variable's value is a secret. */
export function isSecretEnvName(name: string): boolean {
  return /SECRET|TOKEN|PASSWORD|KEY/i.test(name);
}

/** A major version of Node.js, as the API and the nodes write it. */
export const NODE_VERSION_PATTERN = /^[1-9]\d$/;
/** A Git branch or tag that no Git program parses as an option. */
export const GIT_BRANCH_PATTERN =
  /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))[A-Za-z0-9][A-Za-z0-9._/-]{0,199}(?<![/.])$/;
