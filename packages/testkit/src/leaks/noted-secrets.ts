import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secrets that the tests of a run have used or were given. At the end of the run, and before a box is
 * removed, everything that a secret must not reach is searched for them (`find-leaks.ts`).
 */
export interface NotedSecret {
  /** What it is: `password`, `token`, `env.DB_PASSWORD`. */
  readonly kind: string;
  readonly value: string;
}

const FILE = 'noted-secrets.jsonl';
const EXPOSED = 'exposed';
/** A shorter text also occurs by chance. */
const MIN_LENGTH = 10;
const SECRET_FIELD =
  /^(?:(?:new_|db_|database_|current_)?password|password_hash|token|plain_text_token|join_token|deploy_key|private_key|totp_secret|recovery_codes?)$/;
/** The product's rule for variables of apps that are sealed. */
const SECRET_VARIABLE = /SECRET|TOKEN|PASSWORD|KEY/;

/** Notes a secret of this run. A text of several lines counts line by line. Does nothing outside of a run. */
export function noteSecret(kind: string, text: string): void {
  const stateDir = process.env.INNKEEPER_TEST_STATE;
  if (stateDir === undefined) return;
  for (const line of text.split('\n')) {
    const value = line.trim();
    if (value.length < MIN_LENGTH || value.startsWith('-----')) continue;
    appendFileSync(join(stateDir, FILE), `${JSON.stringify({ kind, value } satisfies NotedSecret)}\n`);
  }
}

/** Notes the secrets of a JSON body, by the names of its fields. */
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

/** For a test whose tenant itself exposes a secret, in an argument say: this value is no leak from then on. */
export function exposeSecret(value: string): void {
  noteSecret(EXPOSED, value);
}

/** What was noted in a run's state folder and not exposed since, each value once. */
export function notedSecrets(stateDir: string): NotedSecret[] {
  const file = join(stateDir, FILE);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const secrets = lines.map((line) => JSON.parse(line) as NotedSecret);
  const exposed = new Set(secrets.filter(({ kind }) => kind === EXPOSED).map(({ value }) => value));
  const kept = secrets.filter(({ value }) => !exposed.has(value));
  return [...new Map(kept.map((secret) => [secret.value, secret])).values()];
}
