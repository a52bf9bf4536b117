import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PageFile } from './docs-page.ts';

const { resolve } = createRequire(import.meta.url);

const script = 'text/javascript; charset=utf-8';

/** The files of each package that the page needs beyond its imports; no others are served. */
const files: Readonly<Record<string, { of: string; file: string; type: string }>> = {
  'graphiql.min.css': { of: 'graphiql', file: '../graphiql.min.css', type: 'text/css; charset=utf-8' },
  'graphiql.min.js': { of: 'graphiql', file: '../graphiql.min.js', type: script },
  'react.js': { of: 'react', file: 'umd/react.production.min.js', type: script },
  'react-dom.js': { of: 'react-dom', file: 'umd/react-dom.production.min.js', type: script },
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Point of sale: published content</title>
    <link rel="stylesheet" href="/docs/graphql/graphiql.min.css">
    <link rel="stylesheet" href="/docs/graphql/page.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="graphiql"></div>
    <script src="/docs/graphql/react.js"></script>
    <script src="/docs/graphql/react-dom.js"></script>
    <script src="/docs/graphql/graphiql.min.js"></script>
    <script src="/docs/graphql/start.js"></script>
  </body>
</html>
`;

const style = 'html, body { margin: 0; height: 100%; } #graphiql { height: 100vh; }';

const start = `ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: '/graphql' }),
    isHeadersEditorEnabled: true,
    defaultHeaders: '{ "Store": "default" }',
    defaultQuery: '{\\n  vendorCmsBlocks(identifiers: ["customer_display", "idle_screen"]) {\\n    items { identifier title html css }\\n  }\\n}\\n',
  }),
);
`;

const made: Readonly<Record<string, PageFile>> = {
  '': { type: 'text/html; charset=utf-8', body: page },
  'page.css': { type: 'text/css; charset=utf-8', body: style },
  'start.js': { type: 'text/javascript; charset=utf-8', body: start },
};

const root = '/docs/graphql';

/** GraphiQL under `/docs/graphql`, only from this machine; undefined for an unknown path. */
export async function graphiqlFile(path: string): Promise<PageFile | undefined> {
  if (path !== root && !path.startsWith(`${root}/`)) return undefined;
  const name = path.slice(root.length + 1);
  if (Object.hasOwn(made, name)) return made[name];
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  return file && { type: file.type, body: await readFile(join(dirname(resolve(file.of)), file.file)) };
}
