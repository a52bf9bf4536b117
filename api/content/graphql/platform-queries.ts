import { GraphQLError } from 'graphql';
import { isSwitchedOff, readPublishedByIds, type PublishedContent } from '../../../db/content/read-published.ts';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { readByIdentifiers, refuseTooMany, wrong } from './content-queries.ts';
import { noting, type ContentRequest } from './content-request.ts';
import { blockOf, pageOf } from './render-published.ts';

/** What the platform's own clients ask for, with its errors (platform facts 11). */
export const platformQueries = {
  cmsPage: async ({ id, identifier }: { id?: number | null; identifier?: string | null }, request: ContentRequest) => {
    if (typeof id === 'number') return asPage(await pageById(id, request));
    if (typeof identifier !== 'string') throw wrong('Page id/identifier should be specified');
    const [row] = await readByIdentifiers('page', [identifier], request);
    if (!row) throw missing('page', identifier);
    return asPage(row);
  },

  cmsBlocks: async ({ identifiers }: { identifiers?: readonly (string | null)[] | null }, request: ContentRequest) => {
    const wanted = (identifiers ?? []).map(String);
    if (wanted.length === 0) throw wrong('"identifiers" of CMS blocks should be specified');
    refuseTooMany(wanted);
    const find = await findBlocks(wanted, request);
    // An error in a list is null there, and stands among the errors of the answer.
    return { items: [...new Set(wanted)].map((one) => asBlock(find(one)) ?? missing('block', one)) };
  },

  storeConfig: async (_given: object, request: ContentRequest) => {
    const views = await noting(request, () => readStoreViews(request.em));
    const view = views.find(({ store_id: storeId }) => storeId === request.storeId);
    return view ? { code: view.code, store_code: view.code } : null;
  },
};

async function pageById(id: number, request: ContentRequest): Promise<PublishedContent> {
  const { em, storeId } = request;
  const [row] = await noting(request, () => readPublishedByIds(em, { kind: 'page', ids: [id], storeId }));
  if (row) return row;
  const isOff = await noting(request, () => isSwitchedOff(em, { kind: 'page', contentId: id }));
  throw isOff ? noSuchEntity('No such entity.') : missing('page', id);
}

/** A number is an id first. */
async function findBlocks(wanted: readonly string[], request: ContentRequest) {
  const { em, storeId } = request;
  const ids = wanted.flatMap((one) => (idPattern.test(one) ? [Number(one)] : []));
  const byId =
    ids.length === 0 ? [] : await noting(request, () => readPublishedByIds(em, { kind: 'block', ids, storeId }));
  const byName = await readByIdentifiers('block', wanted, request);
  return (one: string) =>
    byId.find(({ contentId }) => String(contentId) === one) ?? byName.find(({ identifier }) => identifier === one);
}

/** Of the ids that a column can hold. */
const idPattern = /^[1-9]\d{0,8}$/;

/** The platform shows what is rendered where ours shows what was written. */
const asPage = (row: PublishedContent) => {
  const { html, css: _css, ...page } = pageOf(row);
  return { ...page, content: html };
};

const asBlock = (row: PublishedContent | undefined) => {
  if (!row) return undefined;
  const { html, css: _css, ...block } = blockOf(row);
  return { ...block, content: html };
};

const missing = (kind: 'page' | 'block', id: string | number) =>
  noSuchEntity(`The CMS ${kind} with the "${id}" ID doesn't exist.`);

const noSuchEntity = (message: string) =>
  new GraphQLError(message, { extensions: { category: 'graphql-no-such-entity' } });
