import type { Installation } from '@innkeeper/testkit';

/** The API calls of the benchmark. Every call resolves once the hosting server has applied it. */
export interface ApiClient {
  createAccount(username: string): Promise<number>;
  createDomain(accountId: number, name: string): Promise<number>;
}

const limits = {
  disk_limit_mb: 100,
  bandwidth_limit_mb: 1_000,
  cpu_limit_percent: 100,
  ram_limit_mb: 256,
  max_domains: 10,
  max_databases: 1,
  max_apps: 1,
};

export function createApiClient({ baseUrl, token }: Installation): ApiClient {
  const post = async (path: string, body: unknown): Promise<number> => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data?: { id: number } };
    if (response.status !== 201 || answer.data === undefined)
      throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  return {
    createAccount: (username) =>
      post('/accounts', {
        username,
        name: 'Bench',
        email: `${username}@example.com`,
        password: 'correct horse battery',
        ...limits,
      }),
    createDomain: (accountId, name) => post('/domains', { hosting_account_id: accountId, domain_name: name }),
  };
}
