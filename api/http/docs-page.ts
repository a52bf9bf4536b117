import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The files of swagger-ui-dist that the page needs; no others are served. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Point of sale: the interface</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <p class="wrapper"><a href="/docs/graphql">Published content is read by GraphQL: try it here.</a></p>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// Removes the tokens that an earlier release kept in the browser.
const start = `localStorage.removeItem('authorized');
window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, filter: true, docExpansion: 'none',
  presets: [SwaggerUIBundle.presets.apis],
});
`;

export interface PageFile {
  type: string;
  body: string | Buffer;
}

/** Everything under `/docs`, only from this machine; undefined for an unknown path. */
export async function docsFile(path: string): Promise<PageFile | undefined> {
  if (path === '/docs' || path === '/docs/') return { type: 'text/html; charset=utf-8', body: page };
  if (path === '/docs/start.js') return { type: 'text/javascript; charset=utf-8', body: start };
  const name = path.slice('/docs/'.length);
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  if (type === undefined) return undefined;
  return { type, body: await readFile(resolve(`swagger-ui-dist/${name}`)) };
}
