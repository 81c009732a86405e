import { describe, expect, test } from 'vitest';
import { specOf } from '../../../test/specs.ts';
import { poolConfig } from './pool-config.ts';

const withLimits = (limits: object) => specOf({ limits: { ...specOf({}).limits, ...limits } });
const settingOf = (text: string, key: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${key} = `))
    ?.slice(key.length + 3);

describe('the configuration of PHP', () => {
  test.each([
    [{ ram_mb: 512, max_processes: null }, '10'],
    [{ ram_mb: 512, max_processes: 12 }, '6'],
    [{ ram_mb: 32, max_processes: null }, '1'],
    [{ ram_mb: 64_000, max_processes: null }, '40'],
    [{ ram_mb: 64_000, max_processes: 1 }, '1'],
  ])('the limits %j allow %s workers', (limits, workers) => {
    const text = poolConfig(withLimits(limits));
    expect(settingOf(text, 'pm.max_children')).toBe(workers);
    expect(Number(settingOf(text, 'pm.max_spare_servers'))).toBeLessThanOrEqual(Number(workers));
  });

  test('limits a script’s memory to the account’s', () => {
    for (const ram_mb of [16, 64, 256, 1_024, 64_000]) {
      const limit = Number.parseInt(
        settingOf(poolConfig(withLimits({ ram_mb })), 'php_value[memory_limit]')!,
        10,
      );
      expect(limit).toBeLessThanOrEqual(Math.min(ram_mb, 512));
    }
  });

  test('has the defaults that the panel shows', () => {
    const text = poolConfig(withLimits({ ram_mb: 300 }));
    expect(settingOf(text, 'php_value[max_execution_time]')).toBe('30');
    expect(settingOf(text, 'php_value[max_input_vars]')).toBe('1000');
    expect(settingOf(text, 'php_value[post_max_size]')).toBe('256M');
    expect(settingOf(text, 'php_flag[display_errors]')).toBe('off');
  });

  test('refuses a user name that could escape its value', () => {
    const hostile = { ...specOf({}), linux_user: 'x\nuser = root' };
    expect(() => poolConfig(hostile)).toThrow('is not allowed in the PHP configuration');
    expect(() => poolConfig({ ...specOf({}), linux_user: '$HOME' })).toThrow('is not allowed');
    expect(() => poolConfig({ ...specOf({}), linux_user: 'a"b' })).toThrow('is not allowed');
  });
});
