import type { EntityManager } from '@mikro-orm/postgresql';
import { readPublicSettings, readViewIds } from '../../db/content/read-public-settings.ts';
import {
  directivesIn,
  type ContentToRender,
  type RenderContent,
  type RenderedText,
  type ViewText,
} from '../../domain/content.ts';
import { invalid, PosError } from '../../domain/errors.ts';
import { Threads } from '../threads.ts';
import { blockReader, gatherBlocks } from './gather-blocks.ts';
import type { Parts } from './render-text.ts';
import type { RenderAnswer, RenderJob } from './render-worker.ts';

/**
 * Renders content for publication (spec 4.12): fills in blocks, settings and addresses, and sanitises the result.
 *
 * Content for all views is rendered for each: with the view's own blocks, settings and addresses. Content with styles
 * is put into a box with a class made from them, and its rules apply only in that box.
 *
 * Refused with 400: a block that contains itself, blocks more than five deep, a result longer than 1 MB, styles that
 * are too long or nested too deeply, a text that takes ten seconds, or all of them twenty; in any of the views. Refused
 * with 503: too many texts wait for the thread that renders.
 */
export const renderContent: RenderContent<EntityManager> = async (em, input) => {
  const until = performance.now() + longestInAllMs;
  const views = await viewsOf(em, input);
  const settings = await readPublicSettings(em, views);
  const readBlocks = blockReader(em, views);
  const self = input.kind === 'block' ? input.identifier : undefined;
  const uses = new Set<string>();
  const rendered = new Map<string, RenderedText>();
  const shown: ViewText[] = [];
  for (const storeId of views) {
    const { byIdentifier, asked } = await gatherBlocks(readBlocks(storeId), { html: input.html, self });
    for (const identifier of asked) uses.add(identifier);
    const parts = { blocks: byIdentifier, settings: settings.get(storeId) ?? new Map<string, string>() };
    const key = keyOf(parts);
    const text = rendered.get(key) ?? (await renderInThread(input, { parts, until }));
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

/** Views with the same blocks and settings show the same text. */
const keyOf = ({ blocks, settings }: Parts) =>
  JSON.stringify([[...blocks].map(([identifier, { contentId }]) => [identifier, contentId]), [...settings]]);

/** Several times what the largest harmless text takes on a busy machine. */
const longestMs = 10_000;
/** Of all views together; nobody else publishes meanwhile. */
const longestInAllMs = 20_000;

const tooSlow = () => invalid('The content takes too long to render. Make its styles smaller, or split it.');

/** One thread: who publishes waits for the others in any case. An idle one ends with its process. */
const thread = new Threads<RenderJob, RenderAnswer>({
  program: new URL('render-worker', import.meta.url),
  threads: 1,
  mostWaiting: 16,
  tooMany: 'Too many texts are rendered at once. Please try again later.',
});

async function renderInThread({ html, css }: ContentToRender, { parts, until }: { parts: Parts; until: number }) {
  const ms = Math.max(1, Math.min(longestMs, until - performance.now()));
  const answer = await thread.ask({ html, css, ...parts }, { ms, refusal: tooSlow });
  if ('refusal' in answer) throw new PosError(answer.refusal);
  if ('fault' in answer) throw new Error(answer.fault);
  return answer.text;
}
