import { type Database, findRelayOfNode, type MailRelayRow } from '@innkeeper/db';
import type { MailRelay, NodeSettings } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import type { Sealer } from '../secrets/sealer.ts';

/** What a server must know of its own settings, with the password in clear. Never log it. */
export async function nodeSettingsOf(
  { db, sealer }: { db: Kysely<Database>; sealer: Sealer },
  node: { id: number; settings_generation: number },
): Promise<NodeSettings> {
  const row = await findRelayOfNode(db, node.id);
  return {
    generation: node.settings_generation,
    mail_relay: row === undefined ? null : relayOf(row, sealer),
  };
}

function relayOf(row: MailRelayRow, sealer: Sealer): MailRelay {
  const { host, port, encryption, username, sealed_password, sender_domain } = row;
  const sign_in =
    username === null || sealed_password === null
      ? null
      : { username, password: sealer.open('relay-password', sealed_password) };
  return { host, port, encryption, sign_in, sender_domain };
}
