import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readPublicSettings, readViewIds } from '../../db/content/read-public-settings.ts';
import { directivesIn } from '../../domain/content/directives.ts';
import type { ContentToRender, RenderContent, RenderedText, ViewText } from '../../domain/content/render-content.ts';
import { expandContent, type Expansion } from './expand-content.ts';
import { blockReader, gatherBlocks } from './gather-blocks.ts';
import { sanitiseCss } from './sanitise-css.ts';
import { sanitiseHtml } from './sanitise-html.ts';

/**
 * Renders content for publication (spec 4.12): fills in blocks, settings and addresses, and sanitises the result.
 *
 * Content for all views is rendered for each: with the view's own blocks, settings and addresses. Content with styles
 * is put into a box with a class made from them, and its rules apply only in that box.
 *
 * Refused with 400: a block that contains itself, blocks more than five deep, a result longer than 1 MB, styles that
 * are too long or nested too deeply; in any of the views.
 */
export const renderContent: RenderContent<EntityManager> = async (em, given) => {
  const views = await viewsOf(em, given);
  const settings = await readPublicSettings(em, views);
  const readBlocks = blockReader(em, views);
  const self = given.kind === 'block' ? given.identifier : undefined;
  const uses = new Set<string>();
  const rendered = new Map<string, RenderedText>();
  const shown: ViewText[] = [];
  for (const storeId of views) {
    const { byIdentifier, asked } = await gatherBlocks(readBlocks(storeId), { html: given.html, self });
    for (const identifier of asked) uses.add(identifier);
    const parts = { blocks: byIdentifier, settings: settings.get(storeId) ?? new Map<string, string>() };
    const key = keyOf(parts);
    const text = rendered.get(key) ?? (await inTurn(() => renderText(given, parts)));
    rendered.set(key, text);
    shown.push({ storeId, ...text });
  }
  const [common = { html: '', css: '' }, ...others] = shown;
  const inViews = others.filter(({ html, css }) => html !== common.html || css !== common.css);
  return { html: common.html, css: common.css, inViews, uses: [...uses] };
};

/** The content's own view first. Text without directives is the same in all views. */
const viewsOf = async (em: EntityManager, { storeId, html }: ContentToRender): Promise<number[]> =>
  storeId !== 0 || directivesIn(html).length === 0 ? [storeId] : [0, ...(await readViewIds(em))];

type Parts = Pick<Expansion, 'blocks' | 'settings'>;

/** Views with the same blocks and settings show the same text. */
const keyOf = ({ blocks, settings }: Parts) =>
  JSON.stringify([[...blocks].map(([identifier, { contentId }]) => [identifier, contentId]), [...settings]]);

/** Lets other work run between two long texts. */
async function inTurn(work: () => RenderedText): Promise<RenderedText> {
  await setImmediate();
  return work();
}

function renderText(given: ContentToRender, parts: Parts): RenderedText {
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
