import { expect, test } from 'vitest';
import { renderChange } from './render-change.ts';

test('a change, something new and something gone are told in a line', () => {
  expect(
    renderChange({ before: { status: 'active', iops: null }, after: { status: 'suspended', iops: 500 } }),
  ).toBe('status: active → suspended, iops: null → 500');
  expect(renderChange({ after: { domain_name: 'a.example', is_primary: true } })).toBe(
    'domain_name: a.example, is_primary: true',
  );
  expect(renderChange({ before: { name: 'web1' } })).toBe('name: web1');
});

test('a password is told to be new, and no more', () => {
  expect(renderChange({ before: {}, after: {}, replaced: ['password'] })).toBe('new password');
});

test('a reason stands where nothing changed, and what is long is cut', () => {
  expect(renderChange({ reason: 'A foreign user is in the way.' })).toBe('A foreign user is in the way.');
  expect(renderChange({})).toBeNull();
  expect(renderChange({ after: { name: 'x'.repeat(500) } })).toHaveLength(161);
});
