import { posix } from 'node:path';

/**
 * Commands that the API rejects for cron jobs. This is a policy for tenants, not a security boundary: a job always runs
 * as its account, in the account's slice. So the rules check only the text. If quotes make it ambiguous (`sh -c "sudo
 * …"`), they reject it.
 */
const CHAINING = /[;|&`]|\$\(/;

/** Forbidden targets of a redirect: the first part of an absolute path. */
const SYSTEM_FOLDER = /^\/(?:etc|usr|bin|sbin|lib[^/]*|boot|root|proc|sys|opt|srv|run|var|dev)(?:\/|$)/;

export const CRON_COMMAND_MAX_CHARACTERS = 2_000;

/** Any home folder works here: relative targets start in one. */
const HOME = '/home/account';

/** Each rule returns an error message for a command that breaks it, with `:attribute` for the field. */
export const cronCommandRules: readonly ((command: string) => string | undefined)[] = [
  (command) =>
    CHAINING.test(command)
      ? 'The :attribute field must not contain ";", "|", "&", a backtick or "$(".'
      : undefined,
  (command) =>
    wordsOf(command).some(isPrivilegeTool) ? 'The :attribute field must not run su or sudo.' : undefined,
  (command) =>
    redirectTargets(command).some(isSystemPath)
      ? 'The :attribute field must not redirect into a system path.'
      : undefined,
];

/** The words as a shell splits them, and the words between quotes. */
function wordsOf(command: string): string[] {
  return [...command.split(/[\s<>()]+/).map(unquoted), ...command.split(/[\s<>()'"\\]+/)];
}

function isPrivilegeTool(word: string): boolean {
  return /(?:^|\/)(?:su|sudo)$/.test(word);
}

/** The text after each `>` up to the end of its word. White space inside quotes is kept. */
function redirectTargets(command: string): string[] {
  const targets = command.matchAll(/>\s*(?=((?:"[^"]*"|'[^']*'|\\.|[^\s<>()])*))/g);
  return [...targets].map(([, target = '']) => unquoted(target));
}

function isSystemPath(target: string): boolean {
  const path = posix.resolve(HOME, target.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, HOME));
  return path !== '/dev/null' && SYSTEM_FOLDER.test(path);
}

function unquoted(word: string): string {
  return word.replace(/["'\\]/g, '');
}
