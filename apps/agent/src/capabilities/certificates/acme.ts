import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { generatePrivateKeyPem } from '@innkeeper/protocol/identity';
import type { Authorization, Client, Order } from 'acme-client';
import { z } from 'zod';
import { storeDurably } from '../../node/durable-files.ts';
import { askAuthority } from './acme-transport.ts';
import { type Authority, AuthorityError, type AuthorityOrder, type Challenge } from './authority.ts';

export interface AcmeOptions {
  /** URL of the authority's directory, https. */
  readonly directoryUrl: string;
  /** CA certificates that are trusted in addition to the public ones, PEM. */
  readonly caPem: string | undefined;
  /** Folder that stores the ACME account's key. */
  readonly folder: string;
}

/**
 * A certificate authority over ACME (RFC 8555). This is the only user of acme-client, which is loaded with the first
 * order. acme-client creates and signs the requests. This class and its callers decide the transport, the errors and
 * the retries. A node has one account with an authority, and gives it no contact address.
 */
export class AcmeAuthority implements Authority {
  readonly #options: AcmeOptions;
  #client: Promise<Client> | undefined;

  constructor(options: AcmeOptions) {
    this.#options = options;
  }

  createOrder(names: readonly string[]): Promise<AuthorityOrder> {
    return this.#ask(async (client) => {
      const identifiers = names.map((value) => ({ type: 'dns', value }));
      return orderOf(await client.createOrder({ identifiers }));
    });
  }

  async findOrder(url: string): Promise<AuthorityOrder | undefined> {
    try {
      return await this.#ask(async (client) => {
        const order = await client.getOrder({ url } as Order);
        if (order.status === 'invalid') throw await refusalOf(client, order);
        return orderOf(order);
      });
    } catch (error) {
      if (error instanceof AuthorityError && (error.status === 404 || error.status === 410)) return undefined;
      throw error;
    }
  }

  challenges(order: AuthorityOrder): Promise<Challenge[]> {
    return this.#ask(async (client) => {
      const authorizations = await client.getAuthorizations(order as unknown as Order);
      const open = authorizations.filter(({ status }) => status === 'pending');
      return await Promise.all(
        open.map(async ({ challenges, identifier }) => {
          const challenge = challenges.find(({ type }) => type === 'http-01');
          if (challenge === undefined)
            throw new AuthorityError(
              `The certificate authority offers no http-01 challenge for ${identifier.value}.`,
              {
                refused: true,
              },
            );
          const answer = await client.getChallengeKeyAuthorization(challenge);
          return { url: challenge.url, token: challenge.token, answer };
        }),
      );
    });
  }

  async ready(challenge: Challenge): Promise<void> {
    await this.#ask((client) =>
      client.completeChallenge({
        url: challenge.url,
        token: challenge.token,
        type: 'http-01',
        status: 'pending',
      }),
    );
  }

  finalize(order: AuthorityOrder, names: readonly string[], privateKeyPem: string): Promise<AuthorityOrder> {
    return this.#ask(async (client) => {
      const { crypto } = await loadAcme();
      const [, request] = await crypto.createCsr({ altNames: [...names] }, privateKeyPem);
      return orderOf(await client.finalizeOrder(order as unknown as Order, request));
    });
  }

  chain(order: AuthorityOrder): Promise<string> {
    return this.#ask((client) => client.getCertificate(order as unknown as Order));
  }

  /**
   * Runs a request with an account that the authority knows. Error messages from acme-client are reported. Its internal
   * errors, and invalid responses of the authority, go to the log.
   */
  async #ask<T>(request: (client: Client) => Promise<T>): Promise<T> {
    try {
      try {
        return await request(await this.#connected());
      } catch (error) {
        if (!(error instanceof AuthorityError) || error.type !== 'accountDoesNotExist') throw error;
        await this.#forgetAccount();
        return await request(await this.#connected());
      }
    } catch (error) {
      if ([AuthorityError, z.ZodError, TypeError].some((kind) => error instanceof kind)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new AuthorityError(message.slice(0, 1_000), { refused: false, cause: error });
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const { directoryUrl, caPem } = this.#options;
    const acme = await loadAcme();
    acme.axios.defaults.adapter = askAuthority(caPem);
    Object.assign(acme.axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 0 } });
    const account = await this.#loadAccount();
    const client = new acme.Client({
      directoryUrl,
      accountKey: account.private_key,
      ...(account.url === null ? {} : { accountUrl: account.url }),
    });
    if (account.url === null) {
      await client.createAccount({ termsOfServiceAgreed: true });
      await this.#storeAccount({ ...account, url: client.getAccountUrl() });
    }
    return client;
  }

  async #loadAccount(): Promise<AcmeAccount> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const stored = await readFile(this.#accountFile(), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (stored !== undefined) return accountSchema.parse(JSON.parse(stored));
    const { directoryUrl: directory } = this.#options;
    const account = { directory, private_key: generatePrivateKeyPem(), url: null };
    await this.#storeAccount(account);
    return account;
  }

  async #forgetAccount(): Promise<void> {
    this.#client = undefined;
    await this.#storeAccount({ ...(await this.#loadAccount()), url: null });
  }

  async #storeAccount(account: AcmeAccount): Promise<void> {
    await storeDurably(this.#accountFile(), JSON.stringify(account));
  }

  #accountFile(): string {
    const { folder, directoryUrl } = this.#options;
    const name = createHash('sha256').update(directoryUrl).digest('hex').slice(0, 16);
    return path.join(folder, `account-${name}.json`);
  }
}

const accountSchema = z.strictObject({
  directory: z.string(),
  private_key: z.string(),
  /** Null until the authority has assigned it. */
  url: z.string().nullable(),
});
type AcmeAccount = z.infer<typeof accountSchema>;

const orderSchema = z.object({
  url: z.url({ protocol: /^https$/ }),
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url({ protocol: /^https$/ })).max(10),
  finalize: z.url({ protocol: /^https$/ }),
  certificate: z.url({ protocol: /^https$/ }).optional(),
});

function orderOf(order: Order): AuthorityOrder {
  const { certificate, ...rest } = orderSchema.parse(order);
  return { ...rest, certificate };
}

/** For an invalid order, returns the authority's message about the refused name. */
async function refusalOf(client: Client, order: Order): Promise<AuthorityError> {
  const authorizations: Authorization[] = await client.getAuthorizations(order);
  const errors = authorizations.flatMap(({ identifier, challenges }) =>
    challenges.flatMap(({ error }) => {
      const detail = (error as { detail?: unknown } | undefined)?.detail;
      return typeof detail === 'string' ? [`${identifier.value}: ${detail}`] : [];
    }),
  );
  const detail = (order as { error?: { detail?: unknown } }).error?.detail;
  const words =
    errors.length > 0 ? errors.join(' ') : String(detail ?? 'The certificate authority refused the order.');
  return new AuthorityError(words, { refused: true });
}

/** Large, and only servers with certificates need it. */
async function loadAcme() {
  const { default: acme } = await import('acme-client');
  return acme;
}
