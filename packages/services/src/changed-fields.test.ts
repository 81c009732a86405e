import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('only fields that differ are returned, with their values before and after', () => {
  const before = { disk_limit_mb: 100, iops: null, name: 'Alice', seen: new Date(0), ips: ['::1'] };
  const after = { disk_limit_mb: 200, iops: 500, name: 'Alice', seen: new Date(0), ips: ['::1'] };
  expect(changedFields(before, after)).toEqual({
    before: { disk_limit_mb: 100, iops: null },
    after: { disk_limit_mb: 200, iops: 500 },
  });
});

test('a field that is not named is not returned, whatever it contains', () => {
  expect(changedFields({ password_hash: 'a', status: 'active' }, { status: 'suspended' })).toEqual({
    before: { status: 'active' },
    after: { status: 'suspended' },
  });
  expect(changedFields({ status: 'active' }, { status: 'active' })).toEqual({ before: {}, after: {} });
});
