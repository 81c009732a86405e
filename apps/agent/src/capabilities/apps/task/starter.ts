import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StarterSource } from './job.ts';

const page = (how: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ready</title>
<h1>This app is ready.</h1>
<p>${how}</p>
</html>
`;

const server = `'use strict';
const { createServer } = require('node:http');

const page = ${JSON.stringify(page('Deploy your own to replace this page.'))};
createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page);
}).listen(process.env.PORT);
`;

const manifest = {
  name: 'app',
  version: '1.0.0',
  private: true,
  scripts: { start: 'node server.js' },
};

const files: Readonly<Record<StarterSource['runtime'], Readonly<Record<string, string>>>> = {
  php: { 'index.php': page('It runs PHP <?= PHP_VERSION ?>. Deploy your own to replace this page.') },
  static: { 'index.html': page('Deploy your own to replace this page.') },
  nodejs: { 'server.js': server, 'package.json': `${JSON.stringify(manifest, null, 2)}\n` },
};

/** Writes the content that an app shows before the first deploy. */
export function writeStarter(into: string, { runtime }: StarterSource): void {
  for (const [name, text] of Object.entries(files[runtime])) writeFileSync(join(into, name), text);
}
