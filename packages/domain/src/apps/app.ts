/** What runs an app: the account's PHP, nginx alone, or a process of its own. */
export const appRuntimes = ['php', 'static', 'nodejs'] as const;
export type AppRuntime = (typeof appRuntimes)[number];

/** Who fills an app that nothing was deployed to: files that say hello, or WordPress. */
export const appInstallers = ['starter', 'wordpress'] as const;
export type AppInstaller = (typeof appInstallers)[number];

/** Every status that the API tells of an app. */
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

/** How many releases that served a node keeps of an app, the one that serves included. */
export const RELEASES_KEPT = 3;

/** Names of environment variables, as a shell knows them. */
export const ENV_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const ENV_NAME_MAX_CHARACTERS = 128;
export const ENV_VALUE_MAX_CHARACTERS = 8_192;
/** Characters of all values of one app. */
export const ENV_TOTAL_MAX_CHARACTERS = 32_768;
/** Variables of one app. */
export const ENV_VARS_PER_APP = 200;

/** Whether a variable's name alone says that its value is a secret. */
export function isSecretEnvName(name: string): boolean {
  return /SECRET|TOKEN|PASSWORD|KEY/i.test(name);
}

/** A major version of Node.js, as the API and the nodes write it. */
export const NODE_VERSION_PATTERN = /^[1-9]\d$/;
/** A Git branch or tag that no Git program takes for an option. */
export const GIT_BRANCH_PATTERN =
  /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))[A-Za-z0-9][A-Za-z0-9._/-]{0,199}(?<![/.])$/;
