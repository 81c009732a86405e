import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secrets that the tests of a run have used or received. At the end of the run, and before a box is removed,
 * `find-leaks.ts` searches every forbidden place for them.
 */
export interface NotedSecret {
  /** The kind of secret: `password`, `token`, `env.DB_PASSWORD`. */
  readonly kind: string;
  readonly value: string;
}

const FILE = 'noted-secrets.jsonl';
const EXPOSED = 'exposed';
/** Minimum length of a secret: a shorter text also occurs by chance. */
const MIN_LENGTH = 10;
const SECRET_FIELD =
  /^(?:(?:new_|db_|database_|current_)?password|password_hash|token|plain_text_token|join_token|deploy_key|private_key|totp_secret|recovery_codes?)$/;
/** The product's rule for app variables that are sealed. */
const SECRET_VARIABLE = /SECRET|TOKEN|PASSWORD|KEY/;

/** Records a secret of this run. In a text of several lines each line is a secret. Does nothing outside of a run. */
export function noteSecret(kind: string, text: string): void {
  const stateDir = process.env.INNKEEPER_TEST_STATE;
  if (stateDir === undefined) return;
  for (const line of text.split('\n')) {
    const value = line.trim();
    if (value.length < MIN_LENGTH || value.startsWith('-----')) continue;
    appendFileSync(join(stateDir, FILE), `${JSON.stringify({ kind, value } satisfies NotedSecret)}\n`);
  }
}

/** Records the secrets of a JSON body, by the names of its fields. */
export function noteSecretsIn(body: unknown): void {
  if (Array.isArray(body)) for (const item of body) noteSecretsIn(item);
  if (Array.isArray(body) || typeof body !== 'object' || body === null) return;
  if ('name' in body && 'value' in body && SECRET_VARIABLE.test(String(body.name)))
    noteSecret(`env.${String(body.name)}`, String(body.value));
  for (const [field, value] of Object.entries(body)) {
    if (field === 'env' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, text] of Object.entries(value))
        if (SECRET_VARIABLE.test(name)) noteSecret(`env.${name}`, String(text));
    } else if (typeof value === 'string') {
      if (SECRET_FIELD.test(field)) noteSecret(field, value);
    } else noteSecretsIn(value);
  }
}

/**
 * For a test in which the tenant itself exposes a secret, for example in an argument: this value no longer counts as a
 * leak.
 */
export function exposeSecret(value: string): void {
  noteSecret(EXPOSED, value);
}

/** Returns the recorded secrets of a run's state folder, each value once, without the exposed ones. */
export function notedSecrets(stateDir: string): NotedSecret[] {
  const file = join(stateDir, FILE);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const secrets = lines.map((line) => JSON.parse(line) as NotedSecret);
  const exposed = new Set(secrets.filter(({ kind }) => kind === EXPOSED).map(({ value }) => value));
  const kept = secrets.filter(({ value }) => !exposed.has(value));
  return [...new Map(kept.map((secret) => [secret.value, secret])).values()];
}
