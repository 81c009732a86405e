import { API_PREFIX } from '@innkeeper/contract';

/** Path of the OpenAPI document. */
export const DOCUMENT_PATH = `${API_PREFIX}/openapi.json`;

/** The page that shows the document. This server serves everything that the page references. */
export const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Innkeeper API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="document"></div>
    <script src="/docs/swagger-ui.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

export const startScript = `SwaggerUIBundle({
  url: ${JSON.stringify(DOCUMENT_PATH)},
  dom_id: '#document',
  deepLinking: true,
  // The default validator is a service of another site, which the policy does not allow.
  validatorUrl: null,
});
`;

/** No external sources, no inline code, no framing. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
