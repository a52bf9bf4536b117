import { GraphQLError } from 'graphql';
import {
  readPublishedByIdentifiers,
  readPublishedByIds,
  readPublishedOfCategories,
  readPublishedOfProducts,
  readPublishedOfSkus,
  type PublishedContent,
} from '../../../db/content/read-published.ts';
import { attributeOf, blockOf, pageOf } from './render-published.ts';
import { noting, type ContentRequest } from './content-request.ts';

/** The most blocks of one query. A screen shows three. */
const maxIdentifiers = 50;

export function refuseTooMany(identifiers: readonly unknown[]): void {
  if (identifiers.length > maxIdentifiers) throw wrong(`At most ${maxIdentifiers} identifiers can be asked for.`);
}

interface OneOf {
  identifier?: string | null;
  id?: number | null;
}

/**
 * The queries of `schema.graphql`, one statement each; content that is not public is null, or left out of the items.
 */
export const contentQueries = {
  vendorCmsPage: async (given: OneOf, request: ContentRequest) => {
    const row = await findOne('page', given, request);
    return row ? pageOf(row) : null;
  },

  vendorCmsBlock: async (given: OneOf, request: ContentRequest) => {
    const row = await findOne('block', given, request);
    return row ? blockOf(row) : null;
  },

  vendorCmsBlocks: async ({ identifiers }: { identifiers: readonly string[] }, request: ContentRequest) => {
    refuseTooMany(identifiers);
    const rows = await readByIdentifiers('block', identifiers, request);
    const items = new Set(identifiers);
    return { items: [...items].flatMap((one) => rows.filter(({ identifier }) => identifier === one).map(blockOf)) };
  },

  vendorProductAttribute: async (
    given: { productId?: number | null; sku?: string | null; attributeCode?: string | null },
    request: ContentRequest,
  ) => {
    const { productId, sku } = given;
    exactlyOne('productId', productId, 'sku', sku);
    const { em, storeId } = request;
    const read =
      typeof sku === 'string'
        ? () => readPublishedOfSkus(em, { skus: storable([sku]), storeId })
        : () => readPublishedOfProducts(em, { productIds: [Number(productId)], storeId });
    return attributesOf(await noting(request, read), given.attributeCode);
  },

  vendorCategoryAttribute: async (
    { categoryId, attributeCode }: { categoryId: number; attributeCode?: string | null },
    request: ContentRequest,
  ) => {
    const { em, storeId } = request;
    const rows = await noting(request, () => readPublishedOfCategories(em, { categoryIds: [categoryId], storeId }));
    return attributesOf(rows, attributeCode);
  },
};

async function findOne(kind: 'page' | 'block', { identifier, id }: OneOf, request: ContentRequest) {
  exactlyOne('identifier', identifier, 'id', id);
  if (typeof identifier === 'string') return (await readByIdentifiers(kind, [identifier], request))[0];
  const { em, storeId } = request;
  const rows = await noting(request, () => readPublishedByIds(em, { kind, ids: [Number(id)], storeId }));
  return rows[0];
}

export const readByIdentifiers = (kind: 'page' | 'block', identifiers: readonly string[], request: ContentRequest) =>
  noting(request, () =>
    readPublishedByIdentifiers(request.em, { kind, identifiers: storable(identifiers), storeId: request.storeId }),
  );

/** A name that PostgreSQL cannot store cannot exist. */
const storable = (names: readonly string[]) => names.filter((name) => !name.includes('\0'));

const attributesOf = (rows: readonly PublishedContent[], code: string | null | undefined) => ({
  items: rows.filter(({ identifier }) => typeof code !== 'string' || identifier === code).map(attributeOf),
});

function exactlyOne(name: string, value: unknown, other: string, otherValue: unknown): void {
  if ((value ?? null) === null) {
    if ((otherValue ?? null) === null) throw wrong(`"${name}" or "${other}" must be given.`);
  } else if ((otherValue ?? null) !== null) throw wrong(`Either "${name}" or "${other}" must be given, not both.`);
}

export const wrong = (message: string) => new GraphQLError(message, { extensions: { category: 'graphql-input' } });
