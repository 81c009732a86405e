import { createAccount, createOperator, encodeAccount, encodeOperator, fromSeed } from '@nats-io/jwt';

/** NATS names unlimited so. Nothing may be imported, exported or kept in JetStream: the doorbell needs none. */
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
  accountSeed: string;
  /** Signs users. The only one of the three that the API holds. */
  signingSeed: string;
}

/** New keys of an operator, its one account, and the account's signer. */
export function generateNatsAccountKeys(): NatsAccountKeys {
  return {
    operatorSeed: seedText(createOperator()),
    accountSeed: seedText(createAccount()),
    signingSeed: seedText(createAccount()),
  };
}

/** The signed statements that a NATS server is configured with. */
export async function signNatsAccount(
  keys: NatsAccountKeys,
): Promise<{ operatorJwt: string; accountJwt: string; accountPublicKey: string }> {
  const operator = keyPair(keys.operatorSeed);
  const account = keyPair(keys.accountSeed);
  const signer = keyPair(keys.signingSeed);
  return {
    operatorJwt: await encodeOperator('innkeeper', operator),
    accountJwt: await encodeAccount(
      'innkeeper',
      account,
      { limits: accountLimits, signing_keys: [signer.getPublicKey()] },
      { signer: operator },
    ),
    accountPublicKey: account.getPublicKey(),
  };
}

export function keyPair(seed: string): ReturnType<typeof fromSeed> {
  return fromSeed(new TextEncoder().encode(seed.trim()));
}

export function seedText(pair: ReturnType<typeof fromSeed>): string {
  return new TextDecoder().decode(pair.getSeed());
}
