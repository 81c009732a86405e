import { expect, test } from 'vitest';
import { UPLOAD_PATH } from './deploy.ts';

test.each([
  '/apps/5/deploy-zip',
  '/apps/5/deploy-zip/',
  '/apps/5/deploy-zip?_csrf=abc',
  '/as/7/apps/5/deploy-zip?_csrf=abc',
  '/databases/5/import?_csrf=abc',
])('%s accepts archives', (url) => {
  expect(UPLOAD_PATH.test(url)).toBe(true);
});

test.each([
  '/apps/5/deploy-git',
  '/apps/x/deploy-zip',
  '/apps/5/deploy-zipper',
  '/a/apps/5/deploy-zip',
  '/as/apps/5/deploy-zip',
  '/apps',
  '/databases/5/export',
])('%s accepts no archives', (url) => {
  expect(UPLOAD_PATH.test(url)).toBe(false);
});
