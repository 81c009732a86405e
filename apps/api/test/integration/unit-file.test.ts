import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const unit = join(import.meta.dirname, '../../../../deploy/api/etc/systemd/system/innkeeper-api.service');

it('the systemd unit gives the API an exposure of at most 2.0', () => {
  const report = execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], {
    encoding: 'utf8',
  });
  const exposure = /Overall exposure level for innkeeper-api\.service: ([\d.]+)/.exec(report)?.[1];
  expect(Number(exposure)).toBeLessThanOrEqual(2.0);
});
