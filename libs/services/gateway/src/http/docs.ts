import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Palimpsest API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** No validator badge: it would tell another host of this document. */
const START = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Everything comes from here; a key typed into the page goes nowhere else. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const ASSETS = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const;

/** The API's description to browse, at `/docs`. */
export function serveDocs(server: FastifyInstance): void {
  const { resolve } = createRequire(import.meta.url);
  for (const path of ['/docs', '/docs/']) {
    server.get(path, (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
    );
  }
  server.get('/docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const [name, type] of Object.entries(ASSETS)) {
    const read = once(() => readFile(resolve(`swagger-ui-dist/${name}`)));
    server.get(`/docs/${name}`, async (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'public, max-age=3600')
        .send(await read()),
    );
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
