import { brandFill, brandToneOf } from '@innkeeper/domain';
import type { Brand } from '../branding/brands.ts';
import type { MailMessage } from './mail-server.ts';
import { type MailLanguage, mailTexts } from './texts/index.ts';

/** The parts of a mail. Paragraphs are plain text. */
export interface MailParts {
  language: MailLanguage;
  to: { name: string; email: string };
  subject: string;
  paragraphs: readonly string[];
  /** A link below the paragraphs. */
  button?: { label: string; url: string };
  /** Below the link. */
  afterwards?: readonly string[];
}

const PRODUCT_COLOR = '#5b4cc4';

/**
 * A mail as plain text and HTML with the same content. The HTML loads nothing: no image, font or style from elsewhere, so
 * it tells no one when it is read.
 */
export function compose(brand: Brand, parts: MailParts): MailMessage {
  const { to, subject, paragraphs, button, afterwards = [] } = parts;
  const texts = mailTexts[parts.language];
  const footer = brand.support_url === null ? [] : [`${texts.support}: ${brand.support_url}`];
  const text = [
    texts.greeting(to.name),
    ...paragraphs,
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...afterwards,
    [`-- \n${brand.name}`, ...footer].join('\n'),
  ].join('\n\n');
  return { to: { name: to.name, address: to.email }, subject, text: `${text}\n`, html: htmlOf(brand, parts) };
}

function htmlOf(
  brand: Brand,
  { language, to, subject, paragraphs, button, afterwards = [] }: MailParts,
): string {
  const texts = mailTexts[language];
  const color = brand.color === null ? PRODUCT_COLOR : brandFill(brandToneOf(brand.color));
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const link =
    button === undefined
      ? ''
      : `<p style="margin:0 0 16px"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:10px 18px;border-radius:7px;background:${color};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>` +
        `<p style="margin:0 0 16px;font-size:13px;color:#5c5c66;word-break:break-all">${escapeHtml(button.url)}</p>`;
  const support =
    brand.support_url === null
      ? ''
      : ` · <a href="${escapeHtml(brand.support_url)}" style="color:#5c5c66">${texts.support}</a>`;
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;background:#f6f5f2;color:#22222a;font:15px/22px system-ui,sans-serif">` +
    `<div style="max-width:560px;margin:0 auto;padding:24px;border-radius:11px;background:#ffffff">` +
    `<p style="margin:0 0 16px;font-size:18px;font-weight:600;color:${color}">${escapeHtml(brand.name)}</p>` +
    paragraph(texts.greeting(to.name)) +
    paragraphs.map(paragraph).join('') +
    link +
    afterwards.map(paragraph).join('') +
    `<p style="margin:24px 0 0;font-size:13px;color:#5c5c66">${escapeHtml(brand.name)}${support}</p>` +
    '</div></body></html>\n'
  );
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '');
}
