import type {
  Brands,
  CountAttempt,
  OpenNodeChannel,
  ServiceContext,
  Signer,
  UploadedArchive,
} from '@innkeeper/services';

type OfServices =
  | 'db'
  | 'sealer'
  | 'appTemplates'
  | 'gitAllowedNetworks'
  | 'now'
  | 'wakeNode'
  | 'askNode'
  | 'refreshUsage'
  | 'names'
  | 'passwordHashes';

/** A multipart form that is being received. */
interface IncomingForm {
  contentType: string | undefined;
  contentLength: string | undefined;
  body: ReadableStream<Uint8Array> | null;
}

/** Dependencies of the panel, from the process that mounts it. */
export interface PanelDeps extends Pick<ServiceContext, OfServices> {
  openNodeChannel: OpenNodeChannel;
  signer: Signer;
  brands: Brands;
  /** `https://panel.example.com`: the URL under which browsers reach the panel. */
  publicUrl: string;
  /** Ports of mail servers that admins may set. */
  smtpPorts: readonly number[];
  /** Warnings for admins about settings that weaken security. */
  warnings: readonly string[];
  /** Data that a hosting server needs to join. */
  join: {
    /** `HOST:PORT`, where agents reach the control plane. */
    control: string;
    /** Returns the join token: the node's secret and everything that its agent must know, as one word. */
    tokenFor: (nodeName: string, secret: string) => string;
  };
  /** Throws `TooManyAttempts`. */
  countAttempt: CountAttempt;
  /** Counts a write of a user together with its requests to the REST API. Throws `TooManyAttempts`. */
  countWrite: (userId: number) => Promise<void>;
  /** Makes every instance of the API forget a token now, or within 5 s. Does not wait, and never throws. */
  tellTokenRevoked: (tokenId: number) => void;
  isSecure: (
    remoteAddress: string | undefined,
    encrypted: boolean,
    forwardedProto: string | undefined,
  ) => boolean;
  /** Resolves with the node's outcome, or with `timeout`. Never rejects. */
  waitForObserved: (awaited: {
    accountId: number;
    generation: number;
    timeoutMs: number;
  }) => Promise<{ outcome: 'applied' | 'absent' | 'failed' | 'timeout' }>;
  uploads: {
    /** How long a form may take to arrive, ms. */
    timeoutMs: number;
    /** Maximum size of a file. */
    maxBytes: number;
    /**
     * Receives the one file under `field`. Throws DomainError `invalid`, or an error with the status 413, 429 or 503.
     */
    receive(
      form: IncomingForm,
      upload: { field: string; accountId: number },
    ): Promise<UploadedArchive & AsyncDisposable>;
  };
}

/** The rate limit for attempts is reached. */
export class TooManyAttempts extends Error {
  override name = 'TooManyAttempts';
  readonly status = 429;
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super(`Too many attempts. Try again in ${retryAfterS} ${retryAfterS === 1 ? 'second' : 'seconds'}.`);
    this.retryAfterS = retryAfterS;
  }
}
