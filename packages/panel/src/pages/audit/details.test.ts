import { expect, it } from 'vitest';
import { readDetails } from './details.ts';

it('tells each field as it was and as it is, and what is said besides', () => {
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
    told: [
      ['replaced', 'password, join token'],
      ['spare current', 'yes'],
    ],
  });
});

it('of what is new there is no before, and of what is gone no after', () => {
  const made = { after: { name: 'Large', resellers: [], limits: { disk: 1 } } };
  expect(readDetails(made).changes).toEqual([
    { field: 'name', before: undefined, after: 'Large' },
    { field: 'resellers', before: undefined, after: 'nothing' },
    { field: 'limits', before: undefined, after: '{"disk":1}' },
  ]);
  expect(readDetails({ before: { rows: 3 } }).changes).toEqual([
    { field: 'rows', before: '3', after: undefined },
  ]);
  expect(readDetails({})).toEqual({ changes: [], told: [] });
});
