import { canonicalAddress, DOMAIN_NAME_PATTERN } from '@innkeeper/domain';
import type { MailRelay } from '@innkeeper/protocol';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { HostError, refused } from '../../node/host-error.ts';
import { POSTFIX_CONFIG, POSTFIX_QUEUE } from './mail-queue.ts';

/**
 * The configuration of the Postfix instance that has the queue of accounts. It listens on no port: submit-mail alone
 * reaches its socket. It delivers to the relay and nowhere else, and has no mailboxes.
 *
 * The values are numbers, names that match a pattern, and the credentials, which have a file of their own.
 */
export interface PostfixFile {
  readonly name: string;
  readonly text: string;
  /** Only root may read it: Postfix reads it before it gives up root. */
  readonly isSecret: boolean;
}

/** Postfix counts CR LF, and the headers that it adds. */
const MESSAGE_BYTES = 28 * 1024 * 1024;
/** Below it the queue takes no mail, so mail never fills the disk of the server. */
const FREE_BYTES = 512 * 1024 * 1024;
const CA_FILE = '/etc/ssl/certs/ca-certificates.crt';
const SAFE_VALUE = /^[\x21-\x7e][\x20-\x7e]*$/;

/** Throws HostError with a sentence for the operator. */
export function postfixFiles(relay: MailRelay, hostname: string): PostfixFile[] {
  const domain = senderDomain(relay, hostname);
  const name = DOMAIN_NAME_PATTERN.test(hostname.toLowerCase()) ? hostname.toLowerCase() : domain;
  const hop = nextHop(relay);
  return [
    { name: 'main.cf', text: mainCf(relay, { name, domain, hop }), isSecret: false },
    { name: 'master.cf', text: MASTER_CF, isSecret: false },
    { name: 'generic', text: GENERIC, isSecret: false },
    { name: 'transport', text: transport(domain), isSecret: false },
    { name: 'relay-password', text: password(relay, hop), isSecret: true },
  ];
}

/** The domain of senders that have no domain of the account. */
export function senderDomain({ sender_domain }: Pick<MailRelay, 'sender_domain'>, hostname: string): string {
  if (sender_domain !== null) return sender_domain;
  const name = hostname.toLowerCase();
  if (DOMAIN_NAME_PATTERN.test(name)) return name;
  throw new HostError(
    'Failed',
    `The host name of this server (${hostname.slice(0, 63)}) is no domain, so senders have none. Set a sender domain for the relay.`,
    { retryable: false },
  );
}

function nextHop({ host, port }: MailRelay): string {
  const isIpv6 = canonicalAddress(host)?.includes(':') === true;
  return `[${isIpv6 ? `ipv6:${host}` : host}]:${port}`;
}

function mainCf(
  relay: MailRelay,
  { name, domain, hop }: { name: string; domain: string; hop: string },
): string {
  const settings: readonly (readonly [string, string])[] = [
    ['compatibility_level', '3.6'],
    ['queue_directory', POSTFIX_QUEUE],
    ['data_directory', '/var/lib/innkeeper-postfix'],
    ['mail_owner', 'postfix'],
    ['setgid_group', 'postdrop'],
    ['multi_instance_name', 'innkeeper-mail'],
    ['syslog_name', 'innkeeper-mail'],
    ['myhostname', name],
    ['myorigin', domain],
    // No mailboxes, no aliases, no mail for the administrator of this server.
    ['mydestination', ''],
    ['local_recipient_maps', ''],
    ['local_transport', 'error:5.1.1 this server has no mailboxes'],
    ['alias_maps', ''],
    ['alias_database', ''],
    ['notify_classes', ''],
    // postdrop of other users: nobody may use it for this queue.
    ['authorized_submit_users', 'root'],
    ['authorized_mailq_users', 'root'],
    ['authorized_flush_users', 'root'],
    ['inet_protocols', 'all'],
    ['mynetworks', '127.0.0.1/32 [::1]/128'],
    ['smtpd_relay_restrictions', 'permit_mynetworks, reject'],
    ['smtpd_client_connection_count_limit', '0'],
    ['smtpd_error_sleep_time', '0'],
    ['smtpd_recipient_limit', '1000'],
    ['smtputf8_enable', 'no'],
    ['enable_long_queue_ids', 'yes'],
    ['always_add_missing_headers', 'yes'],
    ['message_size_limit', `${MESSAGE_BYTES}`],
    ['mailbox_size_limit', '0'],
    ['queue_minfree', `${FREE_BYTES}`],
    ['maximal_queue_lifetime', '3d'],
    ['bounce_queue_lifetime', '1d'],
    ['bounce_size_limit', '20000'],
    ['default_destination_concurrency_limit', '5'],
    ['relayhost', hop],
    // The queue has the account in the sender: see submit-mail.
    ['smtp_generic_maps', `regexp:${POSTFIX_CONFIG}/generic`],
    ['transport_maps', `regexp:${POSTFIX_CONFIG}/transport`],
    // As every other program of the server looks a name up, /etc/hosts first.
    ['smtp_host_lookup', 'native'],
    ...tlsSettings(relay),
    ...(relay.sign_in === null
      ? []
      : ([
          ['smtp_sasl_auth_enable', 'yes'],
          ['smtp_sasl_security_options', 'noanonymous'],
          ['smtp_sasl_password_maps', `texthash:${POSTFIX_CONFIG}/relay-password`],
        ] as const)),
  ];
  const lines = settings.map(([key, value]) => {
    if (value !== '' && !SAFE_VALUE.test(value)) throw refused(`The value of ${key} is not allowed.`);
    return value === '' ? `${key} =` : `${key} = ${value}`;
  });
  return `${HEADER}${lines.join('\n')}\n`;
}

/** A certificate must be valid for the name of the relay. */
function tlsSettings({ encryption }: MailRelay): (readonly [string, string])[] {
  if (encryption === 'none') return [['smtp_tls_security_level', 'none']];
  return [
    ['smtp_tls_security_level', 'secure'],
    ['smtp_tls_secure_cert_match', 'nexthop'],
    ['smtp_tls_CAfile', CA_FILE],
    ['smtp_tls_mandatory_protocols', '>=TLSv1.2'],
    ...(encryption === 'tls' ? ([['smtp_tls_wrappermode', 'yes']] as const) : []),
  ];
}

function password({ sign_in }: MailRelay, hop: string): string {
  return sign_in === null ? HEADER : `${HEADER}${hop} ${sign_in.username}:${sign_in.password}\n`;
}

const HEADER = `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`;

/** The real sender of a mail, for the relay. */
const GENERIC = `${HEADER}/^[0-9]+\\+(.*)=([^=@]+)@innkeeper\\.invalid$/ \${1}@\${2}\n`;

/** Nobody reads bounces of senders that the server made up, and a bounce of a bounce is never sent. */
function transport(domain: string): string {
  return `${HEADER}/^[0-9]+\\+.*=${domain.replaceAll('.', '\\.')}@innkeeper\\.invalid$/ discard:\n`;
}

/** Only what a queue with a relay needs: no smtpd on a port, no local delivery. */
const MASTER_CF = `${HEADER}${[
  'innkeeper  unix  n  -  n  -      50  smtpd',
  // Only because postqueue -f asks for it: nobody but root may submit over it, and it never wakes up.
  'pickup     unix  n  -  n  0      1   pickup',
  'cleanup    unix  n  -  n  -      0   cleanup',
  'qmgr       unix  n  -  n  300    1   qmgr',
  'tlsmgr     unix  -  -  n  1000?  1   tlsmgr',
  'rewrite    unix  -  -  n  -      -   trivial-rewrite',
  'bounce     unix  -  -  n  -      0   bounce',
  'defer      unix  -  -  n  -      0   bounce',
  'trace      unix  -  -  n  -      0   bounce',
  'flush      unix  n  -  n  1000?  0   flush',
  'proxymap   unix  -  -  n  -      -   proxymap',
  'smtp       unix  -  -  n  -      -   smtp',
  'relay      unix  -  -  n  -      -   smtp',
  'showq      unix  n  -  n  -      -   showq',
  'error      unix  -  -  n  -      -   error',
  'retry      unix  -  -  n  -      -   error',
  'discard    unix  -  -  n  -      -   discard',
  'scache     unix  -  -  n  -      1   scache',
].join('\n')}\n`;
