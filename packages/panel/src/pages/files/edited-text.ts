/** How the lines of a file end. A form sends every line end as CR LF, so this is kept beside the text. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  if (crlf === 0) return 'lf';
  return lf === 0 ? 'crlf' : 'mixed';
}

/** The bytes of a text from a form. Undefined: the text has characters that the encoding does not have. */
export function bytesOfEdited(text: string, lineEnds: string, encoding: string): Buffer | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  const whole = lineEnds === 'crlf' ? plain.replaceAll('\n', '\r\n') : plain;
  if (encoding !== 'latin1') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'latin1');
  return bytes.toString('latin1') === whole ? bytes : undefined;
}
