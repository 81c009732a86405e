import type { MiddlewareHandler } from 'hono';
import type { PanelEnv } from '../env.ts';

/** Pages load nothing from other origins and have no inline scripts or styles. */
const policyWith = (styles: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
const CONTENT_SECURITY_POLICY = policyWith("'self'");
/**
 * For the page of the terminal: xterm.js adds `<style>` elements, whose content its page puts into a style sheet of the
 * script. The hash is that of an empty element, so no other inline style is allowed.
 */
export const terminalPolicy = policyWith("'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");

/** `same-origin`: with `no-referrer` a browser would not send the origin of the panel's own forms. */
const everyPage = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language, Cookie',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

export function pageHeaders(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    for (const [name, value] of Object.entries(everyPage)) c.header(name, value);
    await next();
  };
}
