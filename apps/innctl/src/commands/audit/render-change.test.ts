import { expect, test } from 'vitest';
import { renderChange } from './render-change.ts';

test('a changed, an added and a removed value are one line', () => {
  expect(
    renderChange({ before: { status: 'active', iops: null }, after: { status: 'suspended', iops: 500 } }),
  ).toBe('status: active → suspended, iops: null → 500');
  expect(renderChange({ after: { domain_name: 'a.example', is_primary: true } })).toBe(
    'domain_name: a.example, is_primary: true',
  );
  expect(renderChange({ before: { name: 'web1' } })).toBe('name: web1');
});

test('a password shows only that it is new', () => {
  expect(renderChange({ before: {}, after: {}, replaced: ['password'] })).toBe('new password');
});

test('an entry without changes shows its reason, and a long value is cut', () => {
  expect(renderChange({ reason: 'A foreign user is in the way.' })).toBe('A foreign user is in the way.');
  expect(renderChange({})).toBeNull();
  expect(renderChange({ after: { name: 'x'.repeat(500) } })).toHaveLength(161);
});
