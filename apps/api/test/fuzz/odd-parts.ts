import fc from 'fast-check';
import { nastyTexts } from './nasty-values.ts';

/** Replaces an id in a path, as sent on the wire. */
export const nastySegment = fc.oneof(
  fc.constantFrom('0', '-1', '01', '1.0', '1e0', '999999', '9007199254740993', '%31', '1%00', '%', '%zz'),
  fc.constantFrom('%ff', '%2e%2e', '1%2f2', '..', '.', '', '1;a=b', '1+1', '%D9%A1', '~', 'null', 'bulk'),
  fc.constantFrom(...nastyTexts).map((text) => encodeURIComponent(text.slice(0, 2_000).toWellFormed())),
);

/** Appended to the query, as sent on the wire. */
export const rawQuery = fc.oneof(
  fc.constantFrom('&', '%', '%E0%A4%A=1', '[]=1', 'a[b][c]=1', '__proto__[x]=1', 'constructor=1', '=', '=1'),
  fc.constantFrom('page=1&page=2', 'page=0', 'page=90071992547409', 'page=-1', 'page[]=2', 'per_page=1e1'),
  fc.constantFrom('per_page=101', 'per_page=', 'include[]=apps', 'hosting_account_id[]=1', 'username[a]=b'),
  fc.constantFrom('expires=1&signature=a', 'signature=%ff', 'hosting_account_id[0]=1&hosting_account_id=2'),
  fc.constantFrom(Array.from({ length: 400 }, (_, id) => `hosting_account_id[]=${id}`).join('&')),
  fc.constantFrom(...nastyTexts).map((text) => encodeURIComponent(text.slice(0, 2_000).toWellFormed())),
);

/** Unusual values, by header. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  Accept: ['text/html', '*/*', 'application/xml;q=1', '\u00ff', ''],
  'Idempotency-Key': ['', ' ', '\u00ff', 'k'.repeat(255), 'k'.repeat(256)],
  'X-Forwarded-For': ['198.51.100.7', 'unknown', '::1, 1.2.3.4', ',,,', '1.2.3.4:99', 'x'.repeat(4_000)],
  'X-HTTP-Method-Override': ['DELETE', 'x'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'x'],
  'If-None-Match': ['*', '"a"'],
  Range: ['bytes=0-1'],
  Host: ['panel.example', '127.0.0.1:1', '[::1]', 'a b', 'a/b', '\u00ff', 'x:99999', ''],
  Authorization: ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'bearer \u00ff', 'x'.repeat(6_000)],
  Cookie: ['a=b', 'innkeeper_session=\u00ff', ';;;'],
  'Content-Type': [
    'text/plain',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x',
    'application/xml',
    '\u00ff',
    '',
  ],
};

const header = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...Object.keys(headerValues))
      .chain((name) => fc.constantFrom(...(headerValues[name] ?? [])).map((value) => [name, value] as const)),
  },
  { weight: 1, arbitrary: fc.nat(2_000).map((key) => ['Idempotency-Key', `key-${key}`] as const) },
);
/** One to three unusual headers. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(header, { minLength: 1, maxLength: 3 })
  .map((chosen) => Object.fromEntries(chosen));
