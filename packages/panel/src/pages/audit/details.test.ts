import { expect, it } from 'vitest';
import { readDetails as read } from './details.ts';

const readDetails = (details: Parameters<typeof read>[0]) =>
  read(details, { nothing: 'nothing', yes: 'yes', no: 'no' });

it('shows each changed field before and after, and the other details', () => {
  const details = {
    before: { status: 'active', iops: null },
    after: { status: 'suspended', iops: 500 },
    replaced: ['password', 'join token'],
    app_id: null,
    spare_current: true,
  };
  expect(readDetails(details)).toEqual({
    changes: [
      { field: 'status', before: 'active', after: 'suspended' },
      { field: 'iops', before: 'nothing', after: '500' },
    ],
    others: [
      ['replaced', 'password, join token'],
      ['spare current', 'yes'],
    ],
  });
});

it('a new record has no value before, a removed one no value after', () => {
  const made = { after: { name: 'Large', resellers: [], limits: { disk: 1 } } };
  expect(readDetails(made).changes).toEqual([
    { field: 'name', before: undefined, after: 'Large' },
    { field: 'resellers', before: undefined, after: 'nothing' },
    { field: 'limits', before: undefined, after: '{"disk":1}' },
  ]);
  expect(readDetails({ before: { rows: 3 } }).changes).toEqual([
    { field: 'rows', before: '3', after: undefined },
  ]);
  expect(readDetails({})).toEqual({ changes: [], others: [] });
});
