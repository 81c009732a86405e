import { expect, it } from 'vitest';
import { allActions, may, requireMay } from './permissions.ts';

it('read only may do nothing at all', () => {
  expect(allActions.filter((action) => may('read_only', action))).toEqual([]);
});

it('support may do exactly the daily work on accounts', () => {
  expect(allActions.filter((action) => may('support', action))).toEqual([
    'account.login-link',
    'account.retry',
    'account.set-password',
    'account.suspend',
    'account.suspend-many',
    'account.unsuspend',
    'account.unsuspend-many',
    'domain.install-ssl',
    'totp.reset',
    'totp.unlock',
  ]);
});

it('an admin may do everything but what only servers and users themselves do', () => {
  const others = allActions.filter((action) => !may('admin', action));
  expect(others.filter((action) => !may('system', action) && !may('self', action))).toEqual([]);
});

it('an action without a row is refused', () => {
  for (const unknown of ['toString', 'account.explode'])
    expect(() => requireMay('admin', unknown as never)).toThrow('This action is unauthorized.');
});
