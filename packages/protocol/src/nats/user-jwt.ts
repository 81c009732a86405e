import { DomainError } from '@innkeeper/domain';
import { createUser, encodeUser, fmtCreds, fromPublic } from '@nats-io/jwt';
import './ed25519.ts';
import { subjects } from '../subjects.ts';
import { keyPair, seedText } from './account.ts';

/** The keys that sign users of the account. The API has them. */
export interface NatsUserSigner {
  accountPublicKey: string;
  signingSeed: string;
}

/** Generates a user key on a node. The seed never leaves the node. */
export function generateNatsUserKey(): { publicKey: string; seed: string } {
  const pair = createUser();
  return { publicKey: pair.getPublicKey(), seed: seedText(pair) };
}

/**
 * Signs a NATS user for one node. It may only subscribe to its own wakes and questions, and publish answers to
 * questions. Expires one hour after the node's certificate. Throws DomainError `invalid` for a key that is not a
 * user's.
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

/** Credentials of the control plane, in the format of NATS's own tools: every subject of Innkeeper, no other. */
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

/** Throws DomainError `invalid` unless the text is the public key of a NATS user. */
export function checkNatsUserKey(publicKey: string): void {
  parseUserKey(publicKey);
}

function parseUserKey(publicKey: string): ReturnType<typeof fromPublic> {
  if (/^U[A-Z2-7]{55}$/.test(publicKey)) {
    try {
      return fromPublic(publicKey);
    } catch {
      // The checksum is wrong: rejected below like any other text.
    }
  }
  throw new DomainError('invalid', 'nats_public_key is not the public key of a NATS user.');
}
