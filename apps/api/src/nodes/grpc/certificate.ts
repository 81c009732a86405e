import {
  type CertificateAuthority,
  type ServerCertificate,
  signServerCertificate,
} from '@innkeeper/protocol/identity';

const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 30 * DAY_MS;
const RENEWED_EVERY_MS = 7 * DAY_MS;

/** The certificate of the node service: signed at start, kept in memory, and renewed every week. */
export interface NodeServerCertificate {
  readonly current: ServerCertificate;
  /** Calls `use` with every renewed certificate. */
  onRenewed(use: (certificate: ServerCertificate) => void): void;
  stop(): void;
}

/** `hosts`: the names and addresses that agents connect to. */
export async function signNodeServerCertificate(
  authority: CertificateAuthority,
  hosts: readonly string[],
): Promise<NodeServerCertificate> {
  const sign = () => signServerCertificate(authority, { hosts, lifetimeMs: LIFETIME_MS });
  const listeners: ((certificate: ServerCertificate) => void)[] = [];
  const current = await sign();
  const timer = setInterval(() => {
    void sign().then((renewed) => {
      for (const use of listeners) use(renewed);
    });
  }, RENEWED_EVERY_MS);
  timer.unref();
  return {
    current,
    onRenewed: (use) => void listeners.push(use),
    stop: () => clearInterval(timer),
  };
}
