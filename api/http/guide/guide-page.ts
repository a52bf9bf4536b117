import { escapeHtml } from '../plain-markdown.ts';
import { guideMenu, guidePath, type GuideMenu, type GuidePage } from './guide-menu.ts';
import type { RenderedPage } from './guide-markdown.ts';

/** A page of the guide: menu, text, what is on the page, and the pages before and after it. */
export function guidePage(page: GuidePage, { html, headings }: RenderedPage): string {
  const menu = guideMenu();
  const order = menu.sections.flatMap(({ pages }) => pages);
  const at = order.findIndex(({ path }) => path === page.path);
  return layout({
    title: page.title,
    menu: menuHtml(menu, page),
    main: `<article>
${html}
<footer>
<nav class="turn" aria-label="Pages before and after">${turn('prev', order[at - 1])}${at < 0 ? '' : turn('next', order[at + 1])}</nav>
<p class="soft"><a href="/${page.file}">This page as Markdown</a></p>
</footer>
</article>
${headings.length < 2 ? '' : contents(headings)}`,
  });
}

/** All pages by section. */
export const contentsPage = (): string =>
  layout({
    title: 'All pages',
    menu: menuHtml(guideMenu(), undefined),
    main: `<article><h1>All pages</h1>
${guideMenu()
  .sections.map(({ name, pages }) => `<h2>${escapeHtml(name)}</h2><ul>${pages.map(linkTo).join('')}</ul>`)
  .join('\n')}
</article>`,
  });

const linkTo = ({ path, title }: GuidePage) => `<li><a href="${path}">${inline(title)}</a></li>`;

function menuHtml({ sections }: GuideMenu, current: GuidePage | undefined): string {
  return sections
    .map(({ name, pages }) => {
      const isOpen = pages.some(({ path }) => path === current?.path);
      const links = pages.map(
        ({ path, title }) =>
          `<li><a href="${path}"${path === current?.path ? ' aria-current="page"' : ''}>${inline(title)}</a></li>`,
      );
      return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(name)}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('\n');
}

const turn = (rel: 'prev' | 'next', page: GuidePage | undefined) =>
  page === undefined
    ? '<span></span>'
    : `<a rel="${rel}" href="${page.path}"><span>${rel === 'prev' ? 'Before' : 'Next'}</span> ${inline(page.title)}</a>`;

const contents = (headings: RenderedPage['headings']) =>
  `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${headings
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join('')}</ul></nav>`;

/** A title may name code. */
const inline = (title: string) => escapeHtml(title).replaceAll('`', '');

/** The links at the top of each page. */
export const topBar = `<header class="top"><a class="home" href="/">Point of sale</a><nav aria-label="Site"><a href="${guidePath}">Guide</a><a href="/docs">API</a><a href="/docs/graphql">GraphQL</a></nav></header>`;

const layout = ({ title, menu, main }: { title: string; menu: string; main: string }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inline(title)} · Point of sale</title>
<link rel="stylesheet" href="/docs/guide.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<script src="/docs/guide.js" defer></script>
</head>
<body>
${topBar}
<details class="menu" open><summary>Menu</summary><nav aria-label="Guide">
${menu}
</nav></details>
<main>
${main}
</main>
</body>
</html>
`;
