import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readPublicSettings } from '../../db/content/read-public-settings.ts';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { expandContent } from './expand-content.ts';
import { gatherBlocks } from './gather-blocks.ts';
import { sanitiseCss } from './sanitise-css.ts';
import { sanitiseHtml } from './sanitise-html.ts';

/**
 * Renders content for everybody's eyes (spec 4.12): fills in blocks, settings and addresses, and sanitises the whole.
 *
 * Content with styles of its own comes in a box with a class made from them, and its rules hold only in there. Of view 0,
 * settings are those of all views.
 *
 * Refused with 400: a block that contains itself, blocks more than five deep, what becomes longer than 1 MB, styles that
 * are too long or nested too deeply.
 */
export const renderContent: RenderContent<EntityManager> = async (em, given) => {
  const self = given.kind === 'block' ? given.identifier : undefined;
  const blocks = await gatherBlocks(em, { html: given.html, storeId: given.storeId, self });
  const settings = await readPublicSettings(em, given.storeId);
  const { html, shown } = expandContent(given.html, { blocks: blocks.byIdentifier, settings, inBox });
  const sheets = [given.css, ...shown.map(({ css }) => css)].map((css) => sanitiseCss(css, scopeOf(css)));
  return {
    html: kept(sanitiseHtml(inBox(html, given.css))),
    css: [...new Set(sheets)].filter((sheet) => sheet !== '').join('\n'),
    uses: blocks.asked,
  };
};

const inBox = (html: string, css: string): string =>
  css.trim() === '' ? html : `<div class="cms-scope ${scopeOf(css)}">${sanitiseHtml(html)}</div>`;

/**
 * Nothing of the content lies or is painted outside of this box. No rule of the content's own reaches it: they hold further
 * in. Only what has styles can leave its place, so all else needs no box.
 */
const kept = (html: string): string =>
  /class="cms-scope|style="/.test(html)
    ? `<div class="cms-content" style="position:relative;contain:layout paint">${html}</div>`
    : html;

/** The same styles, the same class: whoever shows two texts side by side has no rule of one in the other. */
const scopeOf = (css: string) => `cms-${createHash('sha256').update(css).digest('hex').slice(0, 12)}`;
