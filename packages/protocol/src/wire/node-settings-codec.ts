import type { NodeSettings } from '../node-settings.ts';
import { integerFromWire, uint32ToWire, uint64ToWire } from './integers.ts';
import type * as wire from './node.gen.ts';

/** Encodes settings for the wire. Throws RangeError for a number that does not fit its field. */
export function encodeNodeSettings({ generation, mail_relay }: NodeSettings): wire.NodeSettings {
  return {
    generation: uint64ToWire(generation, 'generation'),
    mail_relay: mail_relay && {
      host: mail_relay.host,
      port: uint32ToWire(mail_relay.port, 'port'),
      encryption: mail_relay.encryption,
      username: mail_relay.sign_in?.username ?? '',
      password: mail_relay.sign_in?.password ?? '',
      sender_domain: mail_relay.sender_domain ?? '',
    },
  };
}

/** Decodes a wire message into the shape of NodeSettings. Untrusted: parse it with nodeSettingsSchema. */
export function decodeNodeSettings({ generation, mail_relay }: wire.NodeSettings): unknown {
  if (mail_relay === null) return { generation: integerFromWire(generation), mail_relay };
  const { username, password, sender_domain, ...server } = mail_relay;
  return {
    generation: integerFromWire(generation),
    mail_relay: {
      ...server,
      sign_in: username === '' ? null : { username, password },
      sender_domain: sender_domain === '' ? null : sender_domain,
    },
  };
}
