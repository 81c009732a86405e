import { request } from 'node:http';

export interface SiteAnswer {
  status: number;
  body: string;
}

/** Asks a hosting server for a site by its name, as a browser would after DNS. */
export async function visit(address: string, host: string, path = '/'): Promise<SiteAnswer> {
  return await new Promise((resolve, reject) => {
    const call = request({ host: address, port: 80, path, headers: { host }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    call.setTimeout(30_000, () => call.destroy(new Error(`no answer from http://${host}${path} in 30 s`)));
    call.on('error', reject);
    call.end();
  });
}
