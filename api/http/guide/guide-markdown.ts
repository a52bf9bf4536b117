import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { guideMenu, type GuidePage } from './guide-menu.ts';
import { sampleHtml } from './guide-sample.ts';

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
