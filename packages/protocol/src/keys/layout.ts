import { join } from 'node:path';

/**
 * The key folder of a control plane. Only root can read `operator.seed`, `account.seed` and `system.seed`. The API
 * reads the other files through its group.
 */
export function keyFolderPaths(dir: string) {
  return {
    dir,
    caCertificate: join(dir, 'ca.crt'),
    caKey: join(dir, 'ca.key'),
    sealingKeys: join(dir, 'sealing-keys.json'),
    natsDir: join(dir, 'nats'),
    natsOperatorSeed: join(dir, 'nats/operator.seed'),
    natsOperatorSigningSeed: join(dir, 'nats/operator-signing.seed'),
    natsSystemSeed: join(dir, 'nats/system.seed'),
    natsStatementCredentials: join(dir, 'nats/statements.creds'),
    natsAccountSeed: join(dir, 'nats/account.seed'),
    natsSigningSeed: join(dir, 'nats/signing.seed'),
    natsAccountPublicKey: join(dir, 'nats/account.pub'),
    natsCredentials: join(dir, 'nats/control-plane.creds'),
    natsServerCertificate: join(dir, 'nats/server.crt'),
    natsServerKey: join(dir, 'nats/server.key'),
    natsServerConfig: join(dir, 'nats/nats-server.conf'),
  } as const;
}

export type KeyFolderPaths = ReturnType<typeof keyFolderPaths>;
