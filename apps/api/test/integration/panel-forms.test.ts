import { createAdmin } from '@innkeeper/services';
import { expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();

it('a refused form links to each wrong field, and the first one gets the focus', async () => {
  await createAdmin(rig.operator, {
    username: 'forms',
    email: 'forms@example.com',
    password: 'correct horse',
  });
  const someone = new PageVisitor(rig.origin);
  await someone.signIn('forms', 'correct horse');
  const fine = await someone.open('/profile');
  expect(fine.html).not.toContain('autofocus');

  const { html, status, text } = await someone.send('/profile', { name: '', email: 'nobody' });
  expect(status).toBe(422);
  expect(text).toContain('2 fields need a correction:');
  const linked = [...html.matchAll(/<a href="#(field-[\w-]+)">/g)].map(([, id]) => id);
  expect(linked.sort()).toEqual(['field-email', 'field-name']);
  for (const id of linked) expect(html).toMatch(new RegExp(`<input[^>]* id="${id}"[^>]* autofocus`));

  const one = await someone.send('/profile', { name: 'Forms', email: 'nobody' });
  expect(one.errorAt('email')).not.toBe('');
  expect(one.text).not.toContain('need a correction');
  expect(one.html.match(/autofocus/g)).toHaveLength(1);
});
