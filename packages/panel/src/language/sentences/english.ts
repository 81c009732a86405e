import { formats } from '../formats.ts';
import { Catalogue, type Sentences, variableOf } from './catalogue.ts';
import { limitWords } from './limit-words.ts';

/**
 * The panel's own wording of sentences that the REST API has for programs: they name its fields, and clients match on
 * them. All other sentences are shown as they are.
 */
export const englishSentences: Sentences = {
  'The {field} field {rule}': '{field} {rule}',
  'The {field} field format is invalid.': '{field} has a wrong format.',
  'The env.{name} field {rule}': '{name} {rule}',
  'The {field} field must be at least {min}.': '{field} must be at least {min}.',
  'The {field} field must not be greater than {max}.': '{field} must be at most {max}.',
  'The {field} field must not be greater than {max} characters.':
    '{field} must have at most {max} characters.',
  'The {field} field must not be greater than {max}: the hosting provider allows no more.':
    '{field} must be at most {max}: your provider allows no more.',
  'The {field} field must not be greater than {max}: the account has no more memory.':
    '{field} must be at most {max}: the account has no more memory.',
  'The {field} field must be a valid email address.': 'Enter a valid email address.',
  'The {field} field must be a valid IP address.': 'Enter a valid IP address.',
  'The {field} has already been taken.': '{field} is already taken.',
  'The {field} failed to upload.': 'The upload failed. Try again.',
  'The selected {field} is invalid.': '{field}: this choice is not available.',
  'The {field} field cannot be unlimited: the reseller pool holds {size}.':
    '{field} cannot be unlimited: the pool of the reseller has {size}.',
  'The {field} field exceeds what is left of the reseller pool ({left}).':
    '{field} is more than what is left of the pool of the reseller ({left}).',
  "The {field} field cannot be {size}: {taken} is handed out to the reseller's accounts already.":
    "{field} cannot be {size}: the reseller's accounts already have {taken}.",
  'The POST data is too large.': 'The form is too large.',
  'The given data was invalid.': 'Some values are wrong.',
  'The provided two factor authentication code was invalid.': 'This code is wrong.',
  'These credentials do not match our records.': 'Wrong username or password.',
  'This action is unauthorized.': 'You do not have the right to do this.',
  'Cron job limit reached ({max}).': 'Limit of scheduled tasks reached ({max}).',
  'Too Many Attempts.': 'Too many attempts. Wait a minute and try again.',
};

/** Names of fields whose name in the REST API is not what the pages call them. */
const words: Readonly<Record<string, string>> = {
  ...limitWords('en'),
  'alias of': 'Main domain',
  'allowed ips': 'Allowed IP addresses',
  archive: 'The archive',
  'bandwidth limit mb': 'Monthly traffic',
  'bandwidth mb': 'Monthly traffic',
  'deploy root': 'Folder of the app',
  'domain id': 'Domain',
  'domain name': 'Domain',
  email: 'Email address',
  env: 'Environment variables',
  'execution s': 'Run time',
  'git.branch': 'Branch',
  'git.deploy_key': 'Deploy key',
  'git.repository': 'Repository',
  'hosting account id': 'Account',
  'https redirect': 'HTTPS redirect',
  iops: 'IOPS',
  ip: 'IP address',
  'max accounts': 'Accounts',
  'max cron jobs': 'Scheduled tasks',
  'memory limit mb': 'Memory limit',
  'memory mb': 'Memory',
  'node version': 'Node.js version',
  'package id': 'Package',
  'password user': 'Username',
  'redirect status': 'Kind of redirect',
  'redirect url': 'Redirect target',
  'mail per day': 'Mails per day',
  'mail per hour': 'Mails per hour',
  'relay password': 'Password',
  'smtp password': 'Password',
  'support url': 'Support link',
  'template key': 'App',
  'upload mb': 'Upload size',
};

/** Limits within a sentence that the pages call otherwise. */
const ownNames: Readonly<Record<string, string>> = {
  'MiB of disk': 'disk space',
  'cron jobs': 'scheduled tasks',
};

const BEGINS_SENTENCE = /^[a-z]/;

/** Their sizes get units. */
const phrases = [
  '{count} {limit} (at most {max})',
  '{limit} cannot be unlimited, the pool has {size}',
  '{limit} would be {taken}, the pool has {size}',
];
const sentencesOfPhrases = [
  'The account exceeds package "{name}": {excess}.',
  'It exceeds the new limits: {excess}.',
  'The pool of {username} is too small: {why}.',
  'Reseller {username}: {why}.',
];
const same = (texts: readonly string[]): Sentences => Object.fromEntries(texts.map((text) => [text, text]));

export const english = new Catalogue({
  sentences: { ...englishSentences, ...same(sentencesOfPhrases) },
  phrases: same(phrases),
  field: (name) =>
    words[name] ?? variableOf(name) ?? name.replace(BEGINS_SENTENCE, (letter) => letter.toUpperCase()),
  limit: (name) => ownNames[name] ?? name,
  size: formats.en.size,
});
