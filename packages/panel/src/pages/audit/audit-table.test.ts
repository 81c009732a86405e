import { allActions } from '@innkeeper/domain';
import { describe, expect, it } from 'vitest';
import { languageNames } from '../../language/language.ts';
import { nameOf } from './audit-table.tsx';
import { auditTexts } from './texts/index.ts';

describe.each(Object.keys(languageNames) as (keyof typeof languageNames)[])('in %s', (language) => {
  it.each(allActions)('%s has a sentence, with a person or a record', (action) => {
    const told = { who: 'WHO', account: 'ACCOUNT', name: 'NAME' };
    const sentence = [auditTexts[language].sentences[action](told)].flat().join('');
    expect(sentence).toMatch(/WHO|NAME/);
    expect(sentence).toMatch(/\.$|: NAME/);
    expect(sentence).not.toMatch(/ {2}|undefined/);
  });
});

it('the name of a record is in its details, before or after the change; otherwise it is the target', () => {
  const target = 'package:7';
  expect(nameOf({ target, details: { after: { name: 'Large' } } })).toBe('Large');
  expect(nameOf({ target, details: { before: { domain_name: 'a.example' }, after: {} } })).toBe('a.example');
  expect(nameOf({ target, details: { domains: ['a.example', 'b.example'] } })).toBe('a.example, b.example');
  expect(nameOf({ target, details: { after: { name: null } } })).toBe('package:7');
});
