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
])('the slug of %j is %j', (name, slug) => {
  expect(packageSlug(name)).toBe(slug);
});

it('the slug of a slug is the same slug, for any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (name) => {
      const slug = packageSlug(name);
      return /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(slug) && slug.length <= 100 && packageSlug(slug) === slug;
    }),
  );
});
