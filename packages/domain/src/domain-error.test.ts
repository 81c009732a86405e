import { expect, test } from 'vitest';
import { invalidField, invalidFields } from './domain-error.ts';

test('refused fields carry their sentences, and the message says them all', () => {
  expect(invalidField('ip', 'No address.')).toMatchObject({
    code: 'invalid',
    message: 'No address.',
    fields: { ip: ['No address.'] },
  });
  expect(invalidFields({ a: ['One.', 'Two.'], b: ['Three.'] })).toMatchObject({
    code: 'invalid',
    message: 'One. Two. Three.',
    fields: { a: ['One.', 'Two.'], b: ['Three.'] },
  });
});
