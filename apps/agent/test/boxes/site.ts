import { Agent, request } from 'node:http';

export interface SiteAnswer {
  status: number;
  body: string;
}

const visitors = new Agent({ keepAlive: true, maxSockets: 8 });

/** Requests a site from a hosting server by its name, as a browser would after DNS. Rejects when nothing answers. */
export async function visit(
  address: string,
  host: string,
  path = '/',
  { keepAlive = false, method = 'GET' }: { keepAlive?: boolean; method?: 'GET' | 'POST' } = {},
): Promise<SiteAnswer> {
  return await new Promise((resolve, reject) => {
    const agent = keepAlive ? visitors : false;
    const options = { host: address, port: 80, path, method, headers: { host }, agent };
    const call = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    call.setTimeout(30_000, () => call.destroy(new Error(`no answer from http://${host}${path} in 30 s`)));
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection while a request is being sent. Every client retries then. (Node.js does
      // not mark a request that waited for its connection as `reusedSocket`.)
      if (keepAlive && error.code === 'ECONNRESET')
        resolve(visit(address, host, path, { keepAlive, method }));
      else reject(error);
    });
    call.end();
  });
}

/** Permanent visitors of a site. */
export interface Load {
  /** Ends the visits. Returns the number of answers, and every wrong answer. */
  end(): Promise<{ answered: number; wrong: string[] }>;
}

/** Visits a site repeatedly over new connections and over keep-alive connections, until it is ended. */
export function startLoad(
  address: string,
  host: string,
  path: string,
  wanted: (answer: SiteAnswer) => boolean,
): Load {
  let ended = false;
  let answered = 0;
  const wrong: string[] = [];
  const visitor = async (keepAlive: boolean): Promise<void> => {
    while (!ended) {
      try {
        const answer = await visit(address, host, path, { keepAlive });
        if (wanted(answer)) answered += 1;
        else wrong.push(`${answer.status} ${answer.body.slice(0, 100)}`);
      } catch (error) {
        wrong.push(String(error));
      }
    }
  };
  const visits = [visitor(false), visitor(false), visitor(true), visitor(true)];
  return {
    end: async () => {
      ended = true;
      await Promise.all(visits);
      return { answered, wrong };
    },
  };
}
