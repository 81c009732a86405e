import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packageSlug } from './package-slug.ts';

it.each([
  ['Starter', 'starter'],
  ['  Größe XL!  ', 'grosse-xl'],
  ['Crème brûlée', 'creme-brulee'],
  ['a__b--c', 'a-b-c'],
  ['专业', ''],
  [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
])('makes %j into %j', (name, slug) => {
  expect(packageSlug(name)).toBe(slug);
});

it('makes every name into one that is its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (name) => {
      const slug = packageSlug(name);
      return /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(slug) && slug.length <= 100 && packageSlug(slug) === slug;
    }),
  );
});
