import { API_PREFIX } from '@innkeeper/contract';

/** Ways to change a path. */
export const pathBends = {
  none: (path: string) => path,
  slashAtTheEnd: (path: string) => `${path}/`,
  doubleSlash: (path: string) => path.replace('/v1/', '/v1//'),
  dots: (path: string) => path.replace('/v1/', '/v1/./x/../'),
  encodedDots: (path: string) => path.replace('/v1/', '/v1/%2e%2e/'),
  encodedLetter: (path: string) =>
    path.replace(/\/v1\/(\w)/, (_, letter: string) => `/v1/%${letter.charCodeAt(0).toString(16)}`),
  upperCase: (path: string) => path.toUpperCase(),
  withoutPrefix: (path: string) => path.slice(API_PREFIX.length),
  longer: (path: string) => `${path}/x`,
  parameter: (path: string) => `${path};a=b`,
  fragment: (path: string) => `${path}#x`,
  whole: (path: string) => `http://elsewhere.example${path}`,
  brokenEncoding: (path: string) => `${path}%`,
} as const;
export type PathBend = keyof typeof pathBends;

/** Ways to change a text. */
export const textBends = {
  none: (text: string) => text,
  cut: (text: string) => text.slice(0, text.length / 2),
  doubled: (text: string) => text + text,
  byteOrderMark: (text: string) => `\ufeff${text}`,
  nulAtTheEnd: (text: string) => `${text}\0`,
  comment: (text: string) => `// ${text}`,
  singleQuotes: (text: string) => text.replaceAll('"', "'"),
  sameFieldTwice: (text: string) => text.replace('{', '{"name":1,"hosting_account_id":"x",'),
  prototype: (text: string) => text.replace('{', '{"__proto__":{"package_id":1},'),
  hugeNumber: (text: string) => text.replace(/:\d+/, `:1${'0'.repeat(400)}`),
  inAList: (text: string) => `[${text}]`,
  deep: (text: string) => '['.repeat(20_000) + text,
  tooLarge: (text: string) => text.replace('{', `{"pad":"${'x'.repeat(1_100_000)}",`),
  badEscape: (text: string) => text.replace('{', '{"\\x":"\\ud800",'),
} as const;
export type TextBend = keyof typeof textBends;
