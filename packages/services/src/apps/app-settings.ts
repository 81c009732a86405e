import {
  type AppTemplate,
  ENV_VARS_PER_APP,
  type FieldErrors,
  gitHostOf,
  invalidFields,
  isAllowedGitHost,
  isPrintableLine,
  isSecretEnvName,
  isSshRepository,
  readStartCommand,
  recordSentences,
  words,
} from '@innkeeper/domain';

interface GitSettings {
  repository: string;
  branch: string;
  /** Private key; null for none. */
  deploy_key: string | null;
}

/** Requested settings of an app. */
export interface AskedSettings {
  domain_id?: number | undefined;
  node_version?: string | undefined;
  start_command?: string | undefined;
  /** Names and values. */
  env: ReadonlyMap<string, string>;
  git?: GitSettings | undefined;
}

/** Settings of an app with the defaults of its template. */
export interface AppSettings {
  node_version: string | null;
  start_command: string | null;
  variables: { name: string; value: string; is_secret: boolean }[];
  git: GitSettings | null;
}

/**
 * The settings of an app, checked by the rules of its template. `nodeVersions`: Node.js versions of its server; empty
 * if the server has not reported them. `gitAllowedNetworks`: non-public ranges that repositories are allowed in. Throws
 * DomainError `invalid` with every wrong field.
 */
export function appSettings(
  template: AppTemplate,
  asked: AskedSettings,
  nodeVersions: readonly string[],
  gitAllowedNetworks: readonly string[] = [],
): AppSettings {
  const errors: Record<string, string[]> = {};
  const refuse = (field: string, sentence: string) => {
    errors[field] = [...(errors[field] ?? []), sentence];
  };
  if (template.requires_domain && asked.domain_id === undefined)
    refuse('domain_id', 'The domain id field is required.');
  const settings: AppSettings =
    template.runtime === 'nodejs'
      ? {
          node_version: chooseNodeVersion(template, asked.node_version, nodeVersions, refuse),
          start_command: chooseStartCommand(template, asked.start_command, refuse),
          variables: [],
          git: checkGit(asked.git, gitAllowedNetworks, refuse),
        }
      : { ...withoutNode(asked, refuse), variables: [] };
  settings.variables = mergeVariables(template, asked.env, refuse);
  if (Object.keys(errors).length > 0) throw invalidFields(errors satisfies FieldErrors);
  return settings;
}

type Refuse = (field: string, sentence: string) => void;

function withoutNode(asked: AskedSettings, refuse: Refuse): Omit<AppSettings, 'variables'> {
  for (const field of ['node_version', 'start_command', 'git'] as const)
    if (asked[field] !== undefined) refuse(field, `The ${words(field)} field is only for Node.js apps.`);
  return { node_version: null, start_command: null, git: null };
}

/** The requested version, or the newest one that both the template and the server have. */
function chooseNodeVersion(
  { node_versions = [] }: AppTemplate,
  asked: string | undefined,
  nodeVersions: readonly string[],
  refuse: Refuse,
): string | null {
  const possible = node_versions.filter(
    (version) => nodeVersions.length === 0 || nodeVersions.includes(version),
  );
  const chosen = asked ?? possible.at(-1);
  if (chosen !== undefined && possible.includes(chosen)) return chosen;
  refuse('node_version', recordSentences.selectionInvalid('node_version'));
  return null;
}

function chooseStartCommand(
  { start_command }: AppTemplate,
  asked: string | undefined,
  refuse: Refuse,
): string | null {
  const chosen = asked ?? start_command;
  if (chosen === null) {
    refuse('start_command', 'The start command field is required.');
    return null;
  }
  const { refused } = readStartCommand(chosen);
  if (refused !== undefined) refuse('start_command', `The start command field ${refused}.`);
  return chosen;
}

function checkGit(
  git: GitSettings | undefined,
  allowedNetworks: readonly string[],
  refuse: Refuse,
): GitSettings | null {
  if (git === undefined) return null;
  const host = gitHostOf(git.repository);
  if (host === undefined || !isAllowedGitHost(host, allowedNetworks))
    refuse('git.repository', 'The git.repository field must name a host of the public internet.');
  else if (isSshRepository(git.repository) && git.deploy_key === null)
    refuse('git.deploy_key', 'The git.deploy_key field is required for a repository over SSH.');
  return git;
}

/** The given values, with the template’s defaults for missing or empty ones. */
function mergeVariables(
  { env_schema }: AppTemplate,
  given: ReadonlyMap<string, string>,
  refuse: Refuse,
): AppSettings['variables'] {
  const values = new Map(given);
  const secrets = new Set<string>();
  for (const { name, required, secret, default: fallback } of env_schema) {
    if (secret) secrets.add(name);
    const value = values.get(name) ?? '';
    if (!isPrintableLine(value)) refuse(`env.${name}`, `The env.${name} field must be one line.`);
    if (value !== '') continue;
    if (fallback !== null) values.set(name, fallback);
    else if (required) refuse(`env.${name}`, `The env.${name} field is required.`);
  }
  if (values.size > ENV_VARS_PER_APP)
    refuse('env', `The env field must not have more than ${ENV_VARS_PER_APP} items.`);
  return [...values].map(([name, value]) => ({
    name,
    value,
    is_secret: secrets.has(name) || isSecretEnvName(name),
  }));
}
