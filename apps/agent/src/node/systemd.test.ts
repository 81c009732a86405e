import { describe, expect, test } from 'vitest';
import { Changes } from './changes.ts';
import { Exec } from './exec.ts';
import { parseShow, parseTimeSpan, Systemctl } from './systemd.ts';

test.each([
  ['500ms', 500_000],
  ['1.500000s', 1_500_000],
  ['1s 500ms', 1_500_000],
  ['2min 30s', 150_000_000],
  ['100us', 100],
  ['infinity', null],
  ['', null],
])('the time span %j is %j microseconds', (text, microseconds) => {
  expect(parseTimeSpan(text)).toBe(microseconds);
});

test('refuses an unknown time span', () => {
  expect(() => parseTimeSpan('a while')).toThrow('a while');
});

describe('the answer of systemctl show', () => {
  test('is one record per unit, with values that contain equals signs', () => {
    expect(parseShow('A=1\nB=x=y\n\nA=2\nB=\n', 2)).toEqual([
      { A: '1', B: 'x=y' },
      { A: '2', B: '' },
    ]);
  });

  test('for other units is refused', () => {
    expect(() => parseShow('A=1\n', 2)).toThrow('1 units instead of 2');
  });
});

test('concurrent queries run one program', async () => {
  const calls: (readonly string[])[] = [];
  const exec = new Exec(new Changes());
  exec.run = async (_program, args) => {
    calls.push(args);
    const units = args.slice(args.indexOf('--') + 1);
    return { exitCode: 0, stdout: units.map((unit) => `Id=${unit}\nMemoryMax=1\n`).join('\n'), stderr: '' };
  };
  const systemd = new Systemctl(exec);
  const shown = await Promise.all([
    systemd.show('a.slice', ['MemoryMax']),
    systemd.show('b.slice', ['Id']),
    systemd.show('a.slice', ['Id']),
  ]);
  expect(shown.map((properties) => properties.Id)).toEqual(['a.slice', 'b.slice', 'a.slice']);
  expect(calls).toHaveLength(1);
});

test('concurrent state queries are one call with the names of the units', async () => {
  const questions: (readonly string[])[] = [];
  const systemd = new Systemctl(new Exec(new Changes()), async (names) => {
    questions.push(names);
    return new Map(names.map((name) => [name, { active: name, sub: 'dead', hasJob: false }]));
  });
  const states = await Promise.all(['a.socket', 'b.service', 'a.socket'].map((name) => systemd.state(name)));
  expect(states.map(({ active }) => active)).toEqual(['a.socket', 'b.service', 'a.socket']);
  expect(questions).toEqual([['a.socket', 'b.service']]);
});
