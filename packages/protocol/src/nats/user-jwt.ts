import { DomainError } from '@innkeeper/domain';
import { createUser, encodeUser, fmtCreds, fromPublic } from '@nats-io/jwt';
import { subjects } from '../subjects.ts';
import { keyPair, seedText } from './account.ts';

/** What signs users of the account: held by the API. */
export interface NatsUserSigner {
  accountPublicKey: string;
  signingSeed: string;
}

/** A new user key of a node. The seed never leaves it. */
export function generateNatsUserKey(): { publicKey: string; seed: string } {
  const pair = createUser();
  return { publicKey: pair.getPublicKey(), seed: seedText(pair) };
}

/**
 * A NATS user for one node: it hears its own wakes and questions and may answer questions, nothing else.
 * Expires an hour after the node's certificate. Throws DomainError `invalid` for a key that is no user's.
 */
export async function signNodeNatsUser(
  signer: NatsUserSigner,
  {
    nodeId,
    publicKey,
    certificateExpiresAt,
  }: { nodeId: number; publicKey: string; certificateExpiresAt: Date },
): Promise<string> {
  return encodeUser(
    `node-${nodeId}`,
    parseUserKey(publicKey),
    fromPublic(signer.accountPublicKey),
    {
      sub: { allow: [subjects.nodeWake(nodeId), subjects.anyNodeAsk(nodeId)] },
      pub: { allow: [subjects.anyNodeReply(nodeId)] },
      payload: 1024 * 1024,
      subs: 16,
    },
    {
      signer: keyPair(signer.signingSeed),
      exp: Math.floor(certificateExpiresAt.getTime() / 1_000) + 3_600,
    },
  );
}

/** Credentials, in the format of NATS's own tools, of the control plane: every subject of Innkeeper, no other. */
export async function makeControlPlaneCredentials(signer: NatsUserSigner): Promise<string> {
  const user = createUser();
  const jwt = await encodeUser(
    'control-plane',
    user,
    fromPublic(signer.accountPublicKey),
    { sub: { allow: [subjects.any] }, pub: { allow: [subjects.any] } },
    { signer: keyPair(signer.signingSeed) },
  );
  return new TextDecoder().decode(fmtCreds(jwt, user));
}

/** Refuses what is not the public key of a NATS user: throws DomainError `invalid`. */
export function checkNatsUserKey(publicKey: string): void {
  parseUserKey(publicKey);
}

function parseUserKey(publicKey: string): ReturnType<typeof fromPublic> {
  if (/^U[A-Z2-7]{55}$/.test(publicKey)) {
    try {
      return fromPublic(publicKey);
    } catch {
      // Its checksum is wrong: refused below like any other text.
    }
  }
  throw new DomainError('invalid', 'nats_public_key is not the public key of a NATS user.');
}
