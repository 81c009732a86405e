import type { Answered, Requests } from './host.ts';

/** Names of an account that are counted apart from its others: more than a real account has. */
const MOST_HOSTS = 1_000;
const LEAST_ERROR = 500;

interface Counted extends Requests {
  readonly hosts: Map<string, Requests>;
}

/** Counts answered requests by account and host, in memory, until they are taken. */
export class AnsweredRequests {
  #accounts = new Map<number, Counted>();

  add(uid: number, request: { bytesSent: number; status: number; host: string | undefined }): void {
    const account = this.#accounts.get(uid) ?? { ...nothing(), hosts: new Map<string, Requests>() };
    this.#accounts.set(uid, account);
    count(account, request);
    const { host } = request;
    if (host === undefined || (account.hosts.size >= MOST_HOSTS && !account.hosts.has(host))) return;
    const ofHost = account.hosts.get(host) ?? nothing();
    account.hosts.set(host, ofHost);
    count(ofHost, request);
  }

  take(): ReadonlyMap<number, Answered> {
    const taken = this.#accounts;
    this.#accounts = new Map();
    return taken;
  }
}

const nothing = (): Requests => ({ sentBytes: 0, requests: 0, errors: 0 });

function count(to: Requests, { bytesSent, status }: { bytesSent: number; status: number }): void {
  to.sentBytes += bytesSent;
  to.requests += 1;
  if (status >= LEAST_ERROR) to.errors += 1;
}
