import { expect, it } from 'vitest';
import { loginTargets, panelPath } from './login-target.ts';

const none = { app_id: null, domain_id: null };

it('every target has a page, and each app and domain its own', () => {
  expect(loginTargets.map((target) => panelPath({ target, ...none }))).toEqual([
    '/',
    '/apps',
    '/sites',
    '/databases',
    '/cron',
    '/files',
    '/terminal',
    '/backups',
    '/apps',
  ]);
  expect(panelPath({ target: 'app', app_id: 7, domain_id: 8 })).toBe('/apps/7');
  expect(panelPath({ target: 'domains', app_id: 7, domain_id: 8 })).toBe('/sites/8');
});

it('an id that does not belong to the target changes nothing', () => {
  expect(panelPath({ target: 'files', app_id: 7, domain_id: 8 })).toBe('/files');
  expect(panelPath({ target: 'apps', app_id: 7, domain_id: 8 })).toBe('/apps');
  expect(panelPath({ target: 'app', app_id: null, domain_id: 8 })).toBe('/apps');
});
