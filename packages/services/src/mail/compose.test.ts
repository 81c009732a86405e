import { expect, it } from 'vitest';
import { productBrand } from '../branding/brands.ts';
import { compose } from './compose.ts';

const brand = {
  ...productBrand,
  name: 'North <gate>',
  color: '#ffff00',
  support_url: 'https://help.example/?a=1&b=2',
};
const parts = {
  language: 'en' as const,
  to: { name: 'Uma "<script>"', email: 'uma@example.com' },
  subject: 'Your <password>',
  paragraphs: ['One & two'],
  button: { label: 'Set a password', url: 'https://panel.example.com/x?a=1&b="' },
  afterwards: ['Three'],
};

it('text and HTML have the same content, and markup in a value stays text', () => {
  const { to, subject, text, html } = compose(brand, parts);
  expect([to, subject]).toEqual([{ name: 'Uma "<script>"', address: 'uma@example.com' }, 'Your <password>']);
  for (const words of ['Hello Uma "<script>",', 'One & two', parts.button.url, 'Three', 'North <gate>'])
    expect(text).toContain(words);
  expect(html).toContain('Hello Uma &quot;&lt;script&gt;&quot;,');
  expect(html).toContain('href="https://panel.example.com/x?a=1&amp;b=&quot;"');
  expect(html).not.toMatch(/<script|<gate|<password/);
});

it('the HTML loads nothing', () => {
  expect(compose(brand, parts).html).not.toMatch(/<img|<link|<script|src=|url\(|@import/);
});
