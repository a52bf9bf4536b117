import { createHash } from 'node:crypto';
import type { ContentToRender, RenderedText } from '../../domain/content/render-content.ts';
import { expandContent, type Expansion } from './expand-content.ts';
import { sanitiseCss } from './sanitise-css.ts';
import { sanitiseHtml } from './sanitise-html.ts';

/** What a text is filled in with. */
export type Parts = Pick<Expansion, 'blocks' | 'settings'>;

/**
 * One text as it is published. Hostile styles take long: it runs in a thread of its own.
 *
 * Refused with 400: see `expandContent`, `sanitiseHtml`, `sanitiseCss`.
 */
export function renderText(given: Pick<ContentToRender, 'html' | 'css'>, parts: Parts): RenderedText {
  const { html, shown } = expandContent(given.html, { ...parts, inBox });
  const sheets = [given.css, ...shown.map(({ css }) => css)].map((css) => sanitiseCss(css, scopeOf(css)));
  return {
    html: kept(sanitiseHtml(inBox(html, given.css))),
    css: [...new Set(sheets)].filter((sheet) => sheet !== '').join('\n'),
  };
}

const inBox = (html: string, css: string): string =>
  css.trim() === '' ? html : `<div class="cms-scope ${scopeOf(css)}">${sanitiseHtml(html)}</div>`;

/**
 * The content can neither be placed nor painted outside this box. The content's own rules cannot change the box,
 * because they apply further inside. Content without styles cannot leave its place, so it needs no box.
 */
const kept = (html: string): string =>
  /class="cms-scope|style="/.test(html)
    ? `<div class="cms-content" style="position:relative;contain:layout paint">${html}</div>`
    : html;

/** The class is made from the styles, so the rules of one text never apply to another text beside it. */
const scopeOf = (css: string) => `cms-${createHash('sha256').update(css).digest('hex').slice(0, 12)}`;
