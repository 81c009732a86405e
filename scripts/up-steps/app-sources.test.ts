import { expect, test } from 'vitest';
import { withSettings } from './app-sources.ts';

test('settings are added once, beside comments, and a value of the operator stays', () => {
  const wanted = { A: 'http://10.0.0.1:1/', B: '/usr/share/b' };
  const text = '# A comment\n#A=default\nB=/opt/own';
  const changed = withSettings(text, wanted);
  expect(changed).toBe('# A comment\n#A=default\nB=/opt/own\nA=http://10.0.0.1:1/\n');
  expect(withSettings(changed, wanted)).toBe(changed);
});
