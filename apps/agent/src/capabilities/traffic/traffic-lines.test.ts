import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, wholeLines } from './traffic-lines.ts';

interface Request {
  uid: number | undefined;
  sent: number;
  host: string;
  uri: string;
  agent: string;
}

/** Escapes as nginx's `escape=json` does. */
const escaped = (text: string) =>
  text.replace(/["\\]/g, '\\$&').replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
    /[\u0000-\u001f]/g,
    (character) =>
      ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[character] ??
      `\\u00${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
const lineOf = ({ uid, sent, host, uri, agent }: Request) =>
  `{"msec":"1763741234.123","uid":"${uid ?? ''}","sent":${sent},"status":200,"host":"${escaped(host)}",` +
  `"received":78,"time":"2026-11-21T16:07:14+00:00","client":"192.0.2.1","method":"GET","uri":"${escaped(uri)}",` +
  `"seconds":0.001,"referer":"","agent":"${escaped(agent)}"}\n`;

function counted(text: string | Buffer) {
  const totals = new Map<number, number>();
  const refused = countLines(Buffer.from(text), (uid, _, sent) =>
    totals.set(uid, (totals.get(uid) ?? 0) + sent),
  );
  return { totals, refused };
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '"}\n{"msec":"1763741234.123","uid":"20001","sent":999999,"received":1}',
    'x","uid":"20001","sent":999999,"',
    '\\","uid":"20001","sent":5,"received":6}\n',
    '\u2028\r\n\0',
  ),
);

test('a visitor’s host, path and headers never change the counted bytes or the account', () => {
  const request = fc.record({
    uid: fc.option(fc.integer({ min: 20_000, max: 20_005 }), { nil: undefined }),
    sent: fc.integer({ min: 0, max: 1e12 }),
    host: hostile,
    uri: hostile,
    agent: hostile,
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 20 }), (requests) => {
      const wanted = new Map<number, number>();
      for (const { uid, sent } of requests)
        if (uid !== undefined) wanted.set(uid, (wanted.get(uid) ?? 0) + sent);
      const { totals, refused } = counted(requests.map(lineOf).join(''));
      expect(totals).toEqual(wanted);
      expect(refused).toBe(0);
    }),
  );
});

test.each([
  ['another order', '{"uid":"20001","msec":"1763741234.123","sent":5,"received":1}\n'],
  ['a space', '{"msec":"1763741234.123", "uid":"20001","sent":5,"received":1}\n'],
  ['a negative number', '{"msec":"1763741234.123","uid":"20001","sent":-5,"received":1}\n'],
  ['an exponent', '{"msec":"1763741234.123","uid":"20001","sent":5e9,"received":1}\n'],
  ['something before it', ' {"msec":"1763741234.123","uid":"20001","sent":5,"received":1}\n'],
  ['no end', '{"msec":"1763741234.123","uid":"20001","sent":5,"received":1\n'],
  ['nothing', '\n'],
])('a line with %s is refused, and the next one is read', (_, line) => {
  const next = lineOf({ uid: 20_001, sent: 7, host: 'a', uri: '/', agent: '' });
  expect(counted(line + next)).toEqual({ totals: new Map([[20_001, 7]]), refused: 1 });
});

test.each([
  ['', 0, undefined],
  ['"status":502,"host":"shop.example",', 502, 'shop.example'],
  ['"status":200,"host":"a\\",\\"b",', 200, undefined],
  ['"status":200,"host":"UPPER.example",', 200, undefined],
  [`"status":200,"host":"${'a'.repeat(300)}",`, 200, undefined],
])('the status and the host are read where they are, and only a plain host', (fields, status, host) => {
  const found: unknown[] = [];
  const line = `{"msec":"1763741234.123","uid":"20001","sent":5,${fields}"received":1}\n`;
  expect(countLines(Buffer.from(line), (...request) => found.push(request))).toBe(0);
  expect(found).toEqual([[20_001, 1_763_741_234, 5, status, host]]);
});

test('complete lines end with the last newline', () => {
  expect(wholeLines(Buffer.from('a\nb\nc'))).toBe(4);
  expect(wholeLines(Buffer.from('abc'))).toBe(0);
});
