import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
  fromPublic,
  fromSeed,
} from '@nats-io/jwt';
import './ed25519.ts';

/** The NATS value for unlimited. Imports, exports and JetStream are not allowed, because wakes do not need them. */
const UNLIMITED = -1;

const accountLimits = {
  subs: UNLIMITED,
  data: UNLIMITED,
  payload: UNLIMITED,
  conn: UNLIMITED,
  imports: 0,
  exports: 0,
  wildcards: false,
  leaf: 0,
  disallow_bearer: true,
};

export interface NatsAccountKeys {
  operatorSeed: string;
  /** Signs the account's statement again when users are revoked. The API has it. */
  operatorSigningSeed: string;
  accountSeed: string;
  /** Signs users. The API has it. */
  signingSeed: string;
  /** The system account, whose users may send statements to the server. */
  systemSeed: string;
}

/** Generates the keys of an operator, its account, the signers of both, and the system account. */
export function generateNatsAccountKeys(): NatsAccountKeys {
  return {
    operatorSeed: seedText(createOperator()),
    operatorSigningSeed: seedText(createOperator()),
    accountSeed: seedText(createAccount()),
    signingSeed: seedText(createAccount()),
    systemSeed: seedText(createAccount()),
  };
}

export interface NatsStatements {
  operatorJwt: string;
  accountJwt: string;
  accountPublicKey: string;
  systemJwt: string;
  systemPublicKey: string;
}

/** The signed statements in a NATS server's configuration. */
export async function signNatsAccount(keys: NatsAccountKeys): Promise<NatsStatements> {
  const operator = keyPair(keys.operatorSeed);
  const system = keyPair(keys.systemSeed);
  const accountPublicKey = keyPair(keys.accountSeed).getPublicKey();
  const systemPublicKey = system.getPublicKey();
  return {
    operatorJwt: await encodeOperator('innkeeper', operator, {
      signing_keys: [keyPair(keys.operatorSigningSeed).getPublicKey()],
      system_account: systemPublicKey,
    }),
    accountJwt: await signAccountClaims(
      { accountPublicKey, operatorSigningSeed: keys.operatorSeed, signingSeed: keys.signingSeed },
      [],
    ),
    accountPublicKey,
    systemJwt: await encodeAccount('system', system, { limits: accountLimits }, { signer: operator }),
    systemPublicKey,
  };
}

/**
 * A NATS user whose identity has ended. The server rejects and disconnects it until `until`, when its JWT has expired.
 */
export interface RevokedNatsUser {
  publicKey: string;
  until: Date;
}

/** Signs the account's statement with its revoked users. */
export async function signAccountClaims(
  keys: { accountPublicKey: string; operatorSigningSeed: string; signingSeed: string },
  revoked: readonly RevokedNatsUser[],
): Promise<string> {
  const revocations = Object.fromEntries(
    // The server rejects users of this key that were signed at or before this second.
    revoked.map(({ publicKey, until }) => [publicKey, Math.ceil(until.getTime() / 1_000)]),
  );
  return encodeAccount(
    'innkeeper',
    fromPublic(keys.accountPublicKey),
    { limits: accountLimits, signing_keys: [keyPair(keys.signingSeed).getPublicKey()], revocations },
    { signer: keyPair(keys.operatorSigningSeed) },
  );
}

/** The subject on which a server accepts an account's statement (NATS, system events: account claims update). */
export function accountClaimsSubject(accountPublicKey: string): string {
  return `$SYS.REQ.ACCOUNT.${accountPublicKey}.CLAIMS.UPDATE`;
}

/** Credentials that may send the account's statement to the server, and nothing else. */
export async function makeStatementCredentials(
  systemSeed: string,
  accountPublicKey: string,
): Promise<string> {
  const user = createUser();
  const jwt = await encodeUser(
    'statements',
    user,
    keyPair(systemSeed),
    { pub: { allow: [accountClaimsSubject(accountPublicKey)] }, sub: { allow: ['_INBOX.>'] } },
    { signer: keyPair(systemSeed) },
  );
  return new TextDecoder().decode(fmtCreds(jwt, user));
}

export function keyPair(seed: string): ReturnType<typeof fromSeed> {
  return fromSeed(new TextEncoder().encode(seed.trim()));
}

export function seedText(pair: ReturnType<typeof fromSeed>): string {
  return new TextDecoder().decode(pair.getSeed());
}
