import { posix } from 'node:path';

/**
 * What the API refuses of the command of a cron job. It is a policy for tenants, and no wall: a job runs as
 * its account, in the account's slice, whatever it says. So the rules look at the text alone, and where
 * quotes leave a doubt (`sh -c "sudo …"`) they refuse.
 */
const CHAINING = /[;|&`]|\$\(/;

/** Where a redirect may not lead: the first part of an absolute path. */
const SYSTEM_FOLDER = /^\/(?:etc|usr|bin|sbin|lib[^/]*|boot|root|proc|sys|opt|srv|run|var|dev)(?:\/|$)/;

/** Any home will do: relative targets begin in one. */
const HOME = '/home/account';

/** Each says its sentence about a command that breaks it, with `:attribute` for the field. */
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

/** As a shell reads them, and as they stand between quotes. */
function wordsOf(command: string): string[] {
  return [...command.split(/[\s<>()]+/).map(unquoted), ...command.split(/[\s<>()'"\\]+/)];
}

function isPrivilegeTool(word: string): boolean {
  return /(?:^|\/)(?:su|sudo)$/.test(word);
}

/** What follows each `>` up to the end of its word. A quote may hold white space, which is kept. */
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
