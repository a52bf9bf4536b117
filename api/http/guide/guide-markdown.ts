import { posix } from 'node:path';
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { escapeHtml } from '../plain-markdown.ts';
import { guideMenu, type GuidePage } from './guide-menu.ts';

/** A block of code with colours, and what its button copies. */
export function sampleHtml(text: string, language: string): string {
  if (language === 'mermaid') return flowHtml(text);
  const copied = copiedText(text, language);
  const shown = language === 'http' ? httpHtml(text) : coloured(text, language === 'console' ? 'shell' : language);
  const button =
    copied === undefined
      ? ''
      : `<button type="button" data-copy="${escapeHtml(copied)}">${language === 'http' ? 'Copy as curl' : 'Copy'}</button>`;
  return `<div class="call">${button}<pre><code class="hljs">${shown}</code></pre></div>\n`;
}

const coloured = (text: string, language: string): string =>
  hljs.getLanguage(language) === undefined
    ? escapeHtml(text)
    : hljs.highlight(text, { language, ignoreIllegals: true }).value;

/** A request's or an answer's first line, its headers, and JSON. */
function httpHtml(text: string): string {
  const [head, body] = headAndBody(text);
  const [first = '', ...headers] = head.split('\n');
  const lines = [`<span class="hljs-title">${escapeHtml(first)}</span>`, ...headers.map(escapeHtml)];
  return body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${coloured(body, 'json')}`;
}

function headAndBody(text: string): [head: string, body: string | undefined] {
  const at = text.indexOf('\n\n');
  return at < 0 ? [text.trimEnd(), undefined] : [text.slice(0, at), text.slice(at + 2).trimEnd()];
}

/** What a shell can take: of a dialogue the commands, of a request a call; of an answer nothing. */
function copiedText(text: string, language: string): string | undefined {
  if (language === 'http') return curlOf(text);
  if (language !== 'console') return text.trimEnd();
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  return commands.map((line) => line.slice(2)).join('\n');
}

/** The variables of a sample are those of the shell: `$API` and the tokens as the guide's first page sets them. */
function curlOf(text: string): string | undefined {
  const [head, body] = headAndBody(text);
  // A long address is written in several lines.
  const [first = '', ...headers] = head.replaceAll(/\n\s+/g, '').split('\n');
  const [, method = '', path = ''] = /^(GET|POST|PUT|DELETE) ((?:\$[A-Z]+)?\/\S+)$/.exec(first) ?? [];
  if (method === '') return undefined;
  const isOurs = path.startsWith('/V1/');
  // A simulator's address is a variable of its own.
  const address = isOurs ? '$API' : path.startsWith('/') ? '${API%/rest}' : '';
  const input = headers.some((line) => /^authorization:/i.test(line))
    ? headers
    : [...headers, ...(isOurs ? ['Authorization: Bearer $REGISTER_TOKEN'] : [])];
  const sent = body === undefined ? input : [...input, 'Content-Type: application/json'];
  return [
    `curl -sS -g${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${address}${path}`)}`,
    ...sent.map((line) => `-H ${quoted(line)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** In double quotes, where the shell still puts variables in. */
const quoted = (text: string) => `"${text.replaceAll(/["\\`]/g, String.raw`\$&`)}"`;

/** A drawing that was written down: one line for each of its arrows. */
function flowHtml(text: string): string {
  const [, ...lines] = text.trimEnd().split('\n');
  const rows = lines.map((line) => {
    const [drawn = '', after] = line.trim().split(/:\s+/);
    const label = after ?? /"([^"]*)"/.exec(drawn)?.[1];
    const places = drawn.split(/-->|\.->/).map(placeIn);
    return `<li><b>${places.map(escapeHtml).join(' → ')}</b>${label === undefined ? '' : `: ${escapeHtml(label)}`}</li>`;
  });
  return `<ul class="flow">${rows.join('')}</ul>\n`;
}

/** What stands before an arrow, without the words on it. */
function placeIn(text: string): string {
  const [place = ''] = text.split(/ --? | -\. /, 1);
  return place.trim() === '[*]' ? 'start' : place.trim().replaceAll(' & ', ', ');
}

/** A page's text as HTML, and the headings that its readers jump to. */
export interface RenderedPage {
  html: string;
  headings: readonly { id: string; text: string }[];
}

/** As readers of the repository's files know them. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const markdown = new MarkdownIt({ html: false }).use(anchor, {
  slugify: anchorOf,
  tabIndex: false,
  // For the mouse: the menu of the page has the same links.
  permalink: anchor.permalink.linkInsideHeader({
    ...{ symbol: '#', class: 'anchor', placement: 'after', ariaHidden: true },
    renderAttrs: () => ({ tabindex: -1 }),
  }),
});

markdown.renderer.rules['fence'] = (tokens, at) => {
  const { content = '', info = '' } = tokens[at] ?? {};
  return sampleHtml(content, info.trim());
};
// A wide table scrolls by itself: the page does not.
markdown.renderer.rules['table_open'] = () => '<div class="table"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';

/** Renders a page; its links lead to pages, and what is no page is served as it is. */
export function renderPage(page: GuidePage, text: string): RenderedPage {
  const tokens = markdown.parse(text, {});
  for (const token of tokens.flatMap(({ children }) => children ?? []))
    for (const name of ['href', 'src']) {
      const link = token.attrGet(name);
      if (link !== null) token.attrSet(name, servedLink(String(link), page.file));
    }
  const headings = tokens.flatMap((token, at) =>
    token.type === 'heading_open' && token.tag === 'h2'
      ? [{ id: String(token.attrGet('id')), text: textOf(tokens[at + 1]?.children ?? []) }]
      : [],
  );
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings };
}

const textOf = (tokens: readonly { type: string; content: string }[]) =>
  tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
    .trimEnd();

/** The address of what a file of the repository links to. */
function servedLink(link: string, from: string): string {
  if (/^(?:[a-z]+:|#)/.test(link)) return link;
  const [path = '', hash] = link.split('#');
  const file = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path);
  const page = guideMenu().byFile.get(file);
  return `${page?.path ?? `/${file}`}${hash === undefined ? '' : `#${hash}`}`;
}
