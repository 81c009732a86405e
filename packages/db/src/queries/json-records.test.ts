import { expect, test } from 'vitest';
import { readJsonRecords, timeOfJson } from './json-records.ts';

test('records are grouped by table and id; a table without records has an empty list', () => {
  const columns = { domains: ['id', 'state'], apps: ['id'] } as const;
  const rows = [
    { kind: 'domains', record: '{"id":10,"state":"active"}' },
    { kind: 'domains', record: '{"id":9,"state":"removing"}' },
  ];
  expect(readJsonRecords(columns, rows)).toEqual({
    domains: [
      { id: 9, state: 'removing' },
      { id: 10, state: 'active' },
    ],
    apps: [],
  });
});

test('a time of a record is UTC, to the millisecond', () => {
  expect(timeOfJson('2026-11-23 07:08:09.123456')).toEqual(new Date('2026-11-23T07:08:09.123Z'));
  expect(timeOfJson('2026-11-23 07:08:09.000000')).toEqual(new Date('2026-11-23T07:08:09Z'));
  expect(timeOfJson(null)).toBeNull();
});
