import type { Answer } from './answer.ts';
import type { Client } from './client.ts';

/**
 * The accounts that a run may have created. A name is recorded before it is sent, so an account whose creation got no
 * answer is found by its name and terminated too.
 */
export class AccountLedger {
  private readonly open = new Map<string, number | undefined>();

  private readonly admin: Client;

  constructor(admin: Client) {
    this.admin = admin;
  }

  /** Sends POST /accounts. At the end the account is terminated, whatever the answer was. */
  async create(body: Record<string, unknown>, client: Client = this.admin): Promise<Answer> {
    const username = String(body.username).trim().toLowerCase();
    if (!this.open.has(username)) this.open.set(username, undefined);
    const answer = await client.post('/accounts', body);
    if (answer.status === 201) this.open.set(username, answer.id());
    else if (answer.status < 500 && this.open.get(username) === undefined) this.open.delete(username);
    return answer;
  }

  /** The account is gone, or is being terminated: no cleanup is necessary. */
  forget(username: string): void {
    this.open.delete(username);
  }

  /** Terminates the remaining accounts. Returns the names of those that could not be terminated. */
  async terminateAll(admin: Client = this.admin): Promise<string[]> {
    const left: string[] = [];
    for (const [username, knownId] of [...this.open].reverse()) {
      try {
        const id = knownId ?? (await findAccount(admin, username));
        if (id === undefined) continue;
        const { status } = await admin.delete(`/accounts/${id}`);
        if (status !== 200 && status !== 404) left.push(username);
      } catch {
        left.push(username);
      }
    }
    return left;
  }
}

async function findAccount(admin: Client, username: string): Promise<number | undefined> {
  const answer = await admin.get(`/accounts?username=${encodeURIComponent(username)}`);
  const id = answer.at('data.0.id');
  if (answer.status !== 200) throw new Error(`the account ${username} could not be looked for`);
  return typeof id === 'number' && answer.at('data.0.username') === username ? id : undefined;
}
