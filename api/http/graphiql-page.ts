import { readFile } from 'node:fs/promises';
import { topBar } from './guide/guide-page.ts';
import type { PageFile } from './docs-page.ts';

const script = 'text/javascript; charset=utf-8';

/** The built files that the page needs (`graphiql/README.md`); no others are served. */
const built = new URL('graphiql/', import.meta.url);
const files: Readonly<Record<string, string>> = {
  'graphiql.min.css': 'text/css; charset=utf-8',
  'graphiql.min.js': script,
  'react.js': script,
  'react-dom.js': script,
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
    ${topBar}
    <div id="graphiql"></div>
    <script src="/docs/graphql/react.js"></script>
    <script src="/docs/graphql/react-dom.js"></script>
    <script src="/docs/graphql/graphiql.min.js"></script>
    <script src="/docs/graphql/start.js"></script>
  </body>
</html>
`;

// On a phone the question stands above the answer, and what belongs to the mouse is left out.
const style = `html, body { margin: 0; height: 100%; }
body { display: flex; flex-direction: column; font-family: system-ui, sans-serif; color-scheme: light dark; }
.top { display: flex; gap: 1.5rem; align-items: center; padding: 0.7rem 1.25rem; background: light-dark(#fff, #212a3b);
  }
.top a { text-decoration: none; color: light-dark(#0b57c4, #8ab4f8); } .top .home { font-weight: 650;
  color: light-dark(#1b1d21, #e4e6ea); white-space: nowrap; } .top nav { display: flex; gap: 1.1rem; margin-left: auto;
}
#graphiql { flex: 1; min-height: 0; }
@media (max-width: 640px) {
  .graphiql-container :is(.graphiql-sidebar, .graphiql-editor-tools, .graphiql-editor-tool,
.graphiql-horizontal-drag-bar, .graphiql-logo) { display: none !important; }
  .graphiql-container .graphiql-main #graphiql-session { flex-direction: column; }
.graphiql-container #graphiql-session > div { min-width: 0; min-height: 0; }
  .graphiql-container #graphiql-session > .graphiql-response { flex: 1.6 1 0% !important; }
}
`;

// The first question is asked at once: a reader sees the shop's own content, without a click.
const start = `const query = \`{
  vendorCmsBlocks(identifiers: ["customer_display", "idle_screen"]) {
    items { identifier title html css }
  }
  vendorCmsPage(identifier: "returns") { title html }
}
\`;
const headers = { Store: 'default' };
const fetcher = GraphiQL.createFetcher({ url: '/graphql' });
const show = (response) => ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher, response, query,
    isHeadersEditorEnabled: true,
    defaultHeaders: JSON.stringify(headers),
  }),
);
fetch('/graphql', { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify({ query }) })
  .then((answer) => answer.json())
  .then((answer) => show(JSON.stringify(answer, null, 2)), () => show());
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
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  return type === undefined ? undefined : { type, body: await readFile(new URL(name, built)) };
}
