import { API_PREFIX } from '@innkeeper/contract';
import { pathBends, textBends } from './bends.ts';
import type { Body, FuzzRequest } from './fuzz-request.ts';
import { type Population, RecordRef, type Records, resolve } from './records.ts';

/** A request as sent on the wire. */
export interface WireRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  isAborted: boolean;
}

/** Above 16 KiB of headers, the server of Node.js refuses them and closes the connection. */
const MAX_HEAD_CHARACTERS = 15_000;
const BOUNDARY = 'fuzz-boundary';

/** Replaces references to records with their current ids, and serializes the request. */
export function render(request: FuzzRequest, { records, tokens }: Population): WireRequest {
  const { method, segments, bendPath, rawQuery, token, manner } = request;
  const path = pathBends[bendPath](
    `${API_PREFIX}/${segments.map((part) => String(withIds(part, records))).join('/')}`,
  );
  const query = [formOf(withIds(request.query, records) as Record<string, unknown>), rawQuery].filter(
    (part) => part !== '',
  );
  const { type, text } = renderBody(request.body, records);
  const body =
    text === undefined ? undefined : Buffer.from(text, type?.startsWith('multipart') ? 'latin1' : 'utf8');
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Bearer ${tokens[token]}` }),
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...request.headers,
    ...(body === undefined || manner === 'chunked' ? {} : { 'Content-Length': String(body.length) }),
  };
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
  return {
    method,
    path: target.slice(0, MAX_HEAD_CHARACTERS - JSON.stringify(headers).length),
    headers,
    body,
    isAborted: manner === 'aborted',
  };
}

function renderBody(body: Body, records: Records): { type?: string; text?: string } {
  switch (body.kind) {
    case 'none':
      return {};
    case 'json':
      return {
        type: 'application/json',
        text: textBends[body.bend](JSON.stringify(withIds(body.value, records)) ?? 'undefined'),
      };
    case 'form':
      return {
        type: 'application/x-www-form-urlencoded',
        text: textBends[body.bend](formOf(withIds(body.fields, records) as Record<string, unknown>)),
      };
    case 'multipart': {
      const disposition = `Content-Disposition: form-data; name="${body.part}"; filename="a.zip"`;
      const text = `--${BOUNDARY}\r\n${disposition}\r\n\r\n${body.content}\r\n--${BOUNDARY}--\r\n`;
      return { type: `multipart/form-data; boundary=${BOUNDARY}`, text: textBends[body.bend](text) };
    }
    case 'raw':
      return { text: body.bytes };
  }
}

function withIds(value: unknown, records: Records): unknown {
  if (value instanceof RecordRef) return resolve(records, value);
  if (Array.isArray(value)) return value.map((element) => withIds(element, records));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value)) copy[name] = withIds(field, records);
  return copy;
}

/** Encodes a form as browsers and billing modules do: `a[]=1`, `a[key]=1`. */
function formOf(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .flatMap(([name, value]): [string, unknown][] => {
      if (Array.isArray(value)) return value.map((element) => [`${name}[]`, element]);
      if (typeof value === 'object' && value !== null)
        return Object.entries(value).map(([key, element]) => [`${name}[${key}]`, element]);
      return [[name, value ?? '']];
    })
    .map(
      ([name, value]) =>
        `${encode(name)}=${encode(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
    )
    .join('&');
}

function encode(text: string | undefined): string {
  return encodeURIComponent((text ?? '').slice(0, 3_000).toWellFormed());
}
