import type { Redirect } from './route.ts';

/** A redirect. Neither its target nor the page that it came from may be disclosed to third parties. */
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
