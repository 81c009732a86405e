import type { EndpointName, RateLimitName } from '@innkeeper/contract';
import type * as services from '@innkeeper/services';
import type {
  AskNode,
  Brands,
  CountAttempt,
  OpenNodeChannel,
  RefreshUsage,
  ServiceContext,
  Signer,
  WakeNode,
} from '@innkeeper/services';
import type { Logger } from 'pino';
import type { RateLimiter } from './http/request/rate-limiter.ts';
import type { TokenCache } from './http/request/token-cache.ts';
import type { Uploads } from './http/request/uploads.ts';
import type { ClientAddress, IsSecure } from './http/server/client-address.ts';
import type { Metrics } from './http/server/metrics.ts';
import type { CheckReadiness } from './nodes/check-readiness.ts';
import type { WaitForObserved } from './nodes/wait-for-observed.ts';

/** The use cases that routes and guards call. They are injected, so that tests of the HTTP side need no records. */
export type Services = Pick<
  typeof services,
  | Extract<EndpointName, keyof typeof services>
  | 'authenticateToken'
  | 'checkLoginLink'
  | 'claimKey'
  | 'findCreateFailure'
  | 'findSession'
  | 'renewKey'
  | 'requireInstall'
  | 'requireZipDeploy'
  | 'settleKey'
>;

/** All dependencies of the HTTP side. main.ts builds them; tests fake them. */
export interface Deps {
  services: Services;
  db: ServiceContext['db'];
  sealer: ServiceContext['sealer'];
  appTemplates: ServiceContext['appTemplates'];
  gitAllowedNetworks?: ServiceContext['gitAllowedNetworks'];
  names: ServiceContext['names'];
  passwordHashes?: ServiceContext['passwordHashes'];
  signer: Signer;
  brands: Brands;
  /** `https://panel.example.com`: the URL under which browsers reach the panel. */
  publicUrl: string;
  /** Ports of mail servers that admins may set. */
  smtpPorts: readonly number[];
  /** See `settingWarnings`. */
  warnings: readonly string[];
  /** Data that a hosting server needs to join. */
  join: { control: string; tokenFor: (nodeName: string, secret: string) => string };
  uploads: Uploads;
  tokens: TokenCache;
  /** Makes every instance forget a token now, or within 5 s without NATS. Does not wait, and never throws. */
  tellTokenRevoked: (tokenId: number) => void;
  /** Records when and from which address a token was used. Does not wait, and never throws. */
  noteTokenUse: (tokenId: number, address: string) => void;
  clientAddress: ClientAddress;
  rateLimiter: RateLimiter;
  /** Requests per minute. 0: not limited. */
  rateLimits: Readonly<Record<RateLimitName, number>>;
  isSecure: IsSecure;
  /** Counts sign-in attempts. */
  countAttempt: CountAttempt;
  /** Counts a user's writes in the panel. */
  countWrite: (userId: number) => Promise<void>;
  wakeNode: WakeNode;
  askNode: AskNode;
  refreshUsage: RefreshUsage;
  openNodeChannel: OpenNodeChannel;
  waitForObserved: WaitForObserved;
  checkReadiness: CheckReadiness;
  metrics: Metrics;
  logger: Logger;
  now: () => Date;
  /** How long a write waits for its node, in ms. */
  applyTimeoutMs: number;
  /** Request timeout in ms. After it a request is answered 503, even if it still waits for something. */
  requestTimeoutMs: number;
}
