import type { Redirect } from './route.ts';

/** An answer that leads a browser elsewhere. Neither it nor where it came from is for anybody else to know. */
export function redirectResponse({ location, headers }: Redirect): Response {
  return new Response(null, {
    status: 302,
    headers: {
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      ...headers,
    },
  });
}
