import { noteSecretsIn } from '@innkeeper/testkit';

/** The API as a billing module uses it: a base URL, a token, JSON. */
interface RestAnswer<T = Record<string, unknown>> {
  status: number;
  body: T;
  ms: number;
}

export interface RestClient {
  get<T>(path: string): Promise<RestAnswer<T>>;
  post<T>(path: string, body?: unknown): Promise<RestAnswer<T>>;
  patch<T>(path: string, body?: unknown): Promise<RestAnswer<T>>;
  delete<T>(path: string): Promise<RestAnswer<T>>;
}

export function createRestClient(baseUrl: string, token: string): RestClient {
  const send =
    (method: string) =>
    async <T>(path: string, body?: unknown): Promise<RestAnswer<T>> => {
      noteSecretsIn(body);
      const startedAt = performance.now();
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as T;
      const ms = performance.now() - startedAt;
      noteSecretsIn(answer);
      return { status: response.status, body: answer, ms };
    };
  return { get: send('GET'), post: send('POST'), patch: send('PATCH'), delete: send('DELETE') };
}

/** The fields of an account's answers that the end-to-end suite reads. */
export interface AccountBody {
  data: {
    id: number;
    username: string;
    linux_user: string;
    home_path: string;
    status: string;
    synced: boolean;
    cpu_limit_percent: number;
    ram_limit_mb: number;
    terminal_access: boolean;
    domains: { id: number; domain_name: string; is_primary: boolean }[];
  };
}
