import { request } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface SiteAnswer {
  status: number;
  body: string;
}

/**
 * Requests a site by its name from a hosting server, like a browser after DNS. With `ca`, an authority's certificate,
 * it uses TLS, and the site's certificate must be issued by that authority.
 */
export async function visit(address: string, host: string, path = '/', ca?: string): Promise<SiteAnswer> {
  return await new Promise((resolve, reject) => {
    const options = { host: address, path, headers: { host }, agent: false } as const;
    const call =
      ca === undefined
        ? request({ ...options, port: 80 })
        : secureRequest({ ...options, port: 443, servername: host, ca });
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    call.setTimeout(30_000, () => call.destroy(new Error(`no answer from ${host}${path} in 30 s`)));
    call.on('error', reject);
    call.end();
  });
}
