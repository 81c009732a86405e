import {
  connect,
  countHits,
  deleteEndedIdempotencyKeys,
  deleteEndedRateLimits,
  deleteExpiredNatsUsers,
  deleteExpiredPasswordLinks,
  findRevokedNatsUsers,
} from '@innkeeper/db';
import {
  type ObservedMessage,
  type SessionIntervals,
  subjects,
  type TokenRevokedMessage,
} from '@innkeeper/protocol';
import { splitTarget } from '@innkeeper/protocol/client';
import { readKeyFolder, readNatsRevoker } from '@innkeeper/protocol/keys';
import * as services from '@innkeeper/services';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { loadAppTemplates } from './app-templates.ts';
import { startBulkChanges } from './bulk-changes.ts';
import type { Config, ListenAddress } from './config.ts';
import { createDns } from './dns.ts';
import { startDnsLooks } from './dns-looks.ts';
import { createCountAttempt, createCountWrite } from './http/request/count-attempt.ts';
import { createRateLimiter } from './http/request/rate-limiter.ts';
import { createTokenCache } from './http/request/token-cache.ts';
import { createUploads } from './http/request/uploads.ts';
import { createClientAddress, createIsSecure } from './http/server/client-address.ts';
import { createMetrics } from './http/server/metrics.ts';
import { startMetrics } from './http/server/metrics-server.ts';
import { createNodeMetrics } from './http/server/node-metrics.ts';
import { close, startHttp } from './http/server/server.ts';
import { startOutbox } from './mail/outbox.ts';
import { createSendMail } from './mail/send-mail.ts';
import { createAskNode } from './nodes/ask-node.ts';
import { createChannels } from './nodes/channels.ts';
import { createCheckReadiness } from './nodes/check-readiness.ts';
import { findObserved } from './nodes/find-observed.ts';
import { createNodeServer } from './nodes/grpc/server.ts';
import { hearSiblings } from './nodes/hear-siblings.ts';
import { createJoin } from './nodes/join.ts';
import { openQueue } from './nodes/nats-connection.ts';
import { createNatsRevocations } from './nodes/nats-revocations.ts';
import { createObservedWaits } from './nodes/wait-for-observed.ts';
import { createWakeNode } from './nodes/wake.ts';
import { settingWarnings } from './setting-warnings.ts';
import { startSweeps } from './sweep.ts';

export interface ControlPlane {
  http: ListenAddress;
  grpc: ListenAddress;
  /** Reloads the HTTPS certificate. */
  reloadTls(): void;
  /** Finishes the requests in progress, within 15 s, and releases all resources. */
  stop(): Promise<void>;
}

/** Parts that tests replace: DNS, and the cost of password hashes. */
interface ReplacedInTests {
  dns?: ReturnType<typeof createDns>;
  passwordHashes?: services.ServiceContext['passwordHashes'];
}

const STOP_DEADLINE_MS = 15_000;
/** Time that a request may take in addition to the wait for its node. */
const REQUEST_MARGIN_MS = 20_000;
const INTERVALS: SessionIntervals = { heartbeat_interval_ms: 10_000, poll_interval_ms: 10_000 };

/**
 * Builds and starts one instance. Rejects if a part cannot start; then nothing is left running. The database and NATS
 * may be unavailable: requests report this until they are available.
 */
export async function startControlPlane(
  config: Config,
  logger: Logger,
  { dns = createDns(), passwordHashes }: ReplacedInTests = {},
): Promise<ControlPlane> {
  // Parts are disposed of in reverse order: first waits end, then requests, then the parts that they use.
  await using parts = new AsyncDisposableStack();

  const warnings = settingWarnings(config);
  for (const warning of warnings) logger.warn(warning);
  const appTemplates = loadAppTemplates(config.templatesDir);
  const keys = readKeyFolder(config.keysDir);
  const db = connect(config.databaseUrl, { poolSize: config.databasePoolSize });
  parts.defer(() => db.destroy());

  const revocations = createNatsRevocations({
    find: () => findRevokedNatsUsers(db),
    revoke: readNatsRevoker(config.keysDir),
    url: config.natsUrl,
    logger,
  });
  parts.defer(() => revocations.stop());
  const queue = openQueue({
    url: config.natsUrl,
    keysDir: config.keysDir,
    onConnected: () => revocations.tell(),
    logger,
  });
  parts.defer(() => queue.close());
  const metrics = createMetrics(queue);
  const nodeMetrics = createNodeMetrics({
    listNodes: () => services.listNodeFigures(db),
    now: () => performance.now(),
    onError: (error) => logger.warn({ err: error }, 'The figures of the nodes could not be read.'),
  });
  const metricsServer = await startMetrics([() => metrics.registry.metrics(), nodeMetrics], config.metrics);
  parts.defer(() => close(metricsServer, 0));

  const tokens = createTokenCache((plainToken) => services.authenticateToken(db, plainToken));
  const waits = createObservedWaits({
    findObserved: (accountIds) => findObserved(db, accountIds),
    logger,
    onEnd: ({ outcome }, seconds) => metrics.observedWaitSeconds.observe({ outcome }, seconds),
  });
  hearSiblings(queue, { tokens, waits });
  const wakeNode = createWakeNode(queue, metrics);
  const now = () => new Date();
  const askNode = createAskNode(queue, metrics);

  const channels = createChannels({ askNode, ownAddress: config.grpcOwnAddress, metrics });
  const sealer = services.createSealer(() => keys.sealing);
  const signer = services.createSigner(() => keys.sealing);
  const ownNames = [...config.publicHosts, new URL(config.publicUrl).hostname, ...config.reservedDomains];
  const names = services.createNameGuard({ names: ownNames, dns, signer });
  const nodeServer = await createNodeServer({
    db,
    keys,
    sealer,
    hosts: withOwnHost(config),
    address: config.grpc,
    limits: config.grpcLimits,
    natsUrl: config.natsUrl,
    intervals: INTERVALS,
    wakeNode,
    channels,
    onIdentityEnded: () => revocations.tell(),
    onObserved: (message: ObservedMessage) => {
      waits.stored(message);
      queue.publish(subjects.accountObserved(message.account_id), message);
    },
    log: logger,
  });
  parts.defer(() => nodeServer.stop());
  const grpcPort = await nodeServer.start();

  const sweeps = startSweeps(
    {
      rate_limits: (limit) => deleteEndedRateLimits(db, limit),
      sessions: (limit) => services.sweepSessions(db, { now: new Date(), limit }),
      sign_in_failures: (limit) => services.sweepSignInFailures(db, { now: new Date(), limit }),
      app_releases: (limit) => services.sweepUploads(db, { now: new Date(), limit }),
      node_nats_users: (limit) => deleteExpiredNatsUsers(db, limit),
      usage_history: (limit) => services.sweepUsage(db, { now: new Date(), limit }),
      bulk_changes: (limit) => services.sweepBulkChanges(db, { now: new Date(), limit }),
      password_links: (limit) => deleteExpiredPasswordLinks(db, { now: new Date(), limit }),
      outbox_mails: (limit) => services.sweepMails(db, { limit }),
      idempotency_keys: (limit) => deleteEndedIdempotencyKeys(db, limit),
    },
    logger,
  );
  parts.defer(() => sweeps.stop());

  const sendMail = createSendMail({ ports: config.smtpPorts, ownName: new URL(config.publicUrl).hostname });
  const outbox = startOutbox({ db, sealer, now, publicUrl: config.publicUrl, sendMail }, logger);
  parts.defer(() => outbox.stop());

  const refreshUsage = services.createUsageRefresher({ db, askNode, now });
  const background = { db, now, wakeNode, askNode, refreshUsage, sealer, appTemplates, names };
  const looks = startDnsLooks(background, logger);
  parts.defer(() => looks.stop());
  const bulkChanges = startBulkChanges(background, logger);
  parts.defer(() => bulkChanges.stop());

  const rateLimiter = createRateLimiter((hits) => countHits(db, hits));
  const app = createApp({
    services,
    db,
    sealer,
    appTemplates,
    gitAllowedNetworks: config.gitAllowedNetworks,
    names,
    passwordHashes,
    signer,
    brands: services.createBrands(db, now),
    publicUrl: config.publicUrl,
    smtpPorts: config.smtpPorts,
    warnings,
    join: createJoin({ host: config.publicHosts[0] ?? '', port: grpcPort, ca: keys.authority.fingerprint }),
    uploads: createUploads(config.uploads),
    tokens,
    tellTokenRevoked: (token_id) => {
      tokens.forget(token_id);
      queue.publish(subjects.tokenRevoked, { token_id } satisfies TokenRevokedMessage);
    },
    noteTokenUse: (token_id, address) =>
      services.touchToken(db, { token_id, address }, (error) =>
        logger.warn({ err: error, token_id }, 'the last use of a token could not be stored'),
      ),
    clientAddress: createClientAddress(config.trustedProxies),
    rateLimiter,
    countAttempt: createCountAttempt(rateLimiter),
    countWrite: createCountWrite(rateLimiter, config.rateLimits.user),
    rateLimits: config.rateLimits,
    isSecure: createIsSecure(config.trustedProxies),
    wakeNode,
    askNode,
    refreshUsage,
    openNodeChannel: channels.open,
    waitForObserved: waits.waitForObserved,
    checkReadiness: createCheckReadiness(queue, () => services.findOnlineCounts(db)),
    metrics,
    logger,
    now,
    applyTimeoutMs: config.applyTimeoutMs,
    requestTimeoutMs: config.applyTimeoutMs + REQUEST_MARGIN_MS,
  });

  void warnOfOverlaps(services.listReservedOverlaps(db, names.reserved), logger);
  const http = await startHttp(app, config);
  parts.defer(() => http.close(STOP_DEADLINE_MS));
  parts.defer(() => channels.stop());
  parts.defer(() => waits.stop());

  const started = parts.move();
  return {
    http: http.address,
    grpc: { host: config.grpc.host, port: grpcPort },
    reloadTls: () => http.reloadTls(),
    stop: () => started.disposeAsync(),
  };
}

/** The names of the server's certificate. */
function withOwnHost({ publicHosts, grpcOwnAddress }: Config): string[] {
  return [
    ...new Set([...publicHosts, ...(grpcOwnAddress === null ? [] : [splitTarget(grpcOwnAddress).host])]),
  ];
}

/**
 * Warns about customers' domains that overlap with reserved names of the provider. While the database is unavailable it
 * logs nothing: the servers' page shows the warning.
 */
async function warnOfOverlaps(
  listing: ReturnType<typeof services.listReservedOverlaps>,
  logger: Logger,
): Promise<void> {
  for (const overlap of await listing.catch(() => []))
    logger.warn(overlap, services.overlapSentence(overlap));
}
