/**
 * The cookie that holds a session's token. It lasts as long as the browser runs; when a session ends is the
 * database's to say. Under HTTPS its name has the prefix that makes browsers insist on all that is said
 * here, and take it from no other host.
 */
export function sessionCookie(token: string, isSecure: boolean): string {
  const name = isSecure ? '__Host-innkeeper_session' : 'innkeeper_session';
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
