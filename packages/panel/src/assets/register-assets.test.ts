import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import files from './files.embed.ts';
import { withoutComments } from './register-assets.ts';

it('the served script is the same program as the file, without its comments', () => {
  const [file, served] = [files['panel.js'], withoutComments(files['panel.js'])].map((text) => {
    const { program, errors } = parseSync('panel.js', text);
    expect(errors).toEqual([]);
    return JSON.stringify(program, (key, value) => (key === 'start' || key === 'end' ? undefined : value));
  });
  expect(served).toBe(file);
  expect(withoutComments(files['panel.js'])).not.toContain('/*');
});

it('the served style has every rule of the file', () => {
  const served = withoutComments(files['panel.css']);
  const count = (text: string, mark: string) => text.split(mark).length;
  expect(count(served, '{')).toBe(count(files['panel.css'].replaceAll(/\/\*.*?\*\//gs, ''), '{'));
  expect(served).not.toContain('/*');
});
