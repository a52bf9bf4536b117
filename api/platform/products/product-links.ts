import { z } from 'zod';
import { dropLink, putLink, readLinks, replaceLinks } from '../../../db/platform/catalog/product-links.ts';
import { unitsPerWhole } from '../../../domain/money.ts';
import { isLinkType, linkTypes, type LinkDraft } from '../../../domain/platform/catalog/custom-options.ts';
import { linkTypeUnknown, linkedProductMissing, optionTypeNotFound } from '../../../domain/refusals/catalog.ts';
import { done, route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { requiredField } from '../../wire/outcomes.ts';
import { integer, payload, quantity, text } from '../../wire/schemas.ts';
import { unknownProduct } from './product-websites.ts';
import { productLinkAnswer, renderProductLink } from './render-product.ts';

/** A link that a caller sends. What its own product decides is ignored, so that an answer can be sent back. */
export const productLinkPayload = payload({
  sku: z.unknown().optional(),
  linkType: text(32).optional(),
  linkedProductSku: text(64),
  linkedProductType: z.unknown().optional(),
  position: integer.optional(),
  extensionAttributes: payload({ qty: quantity.optional() }).optional(),
}).meta({ id: 'ProductLink' });

/** Translates it into the catalog's terms. */
export const toLinkDraft = ({
  linkType,
  linkedProductSku,
  position,
  extensionAttributes,
}: z.output<typeof productLinkPayload>): LinkDraft => ({
  ...{ linkType, linkedProductSku, position },
  qty: extensionAttributes?.qty === undefined ? undefined : extensionAttributes.qty / unitsPerWhole,
});

const access = { acl: 'Platform_Catalog::catalog' } as const;

/** More links than any product has. */
const maxLinks = 1_000;

const sent = { link_type: 'related', linked_product_sku: 'LAMP-01', position: 1 };
const related = { ...sent, sku: 'MUG-BLUE', linked_product_type: 'simple' };

const noType: Outcome = requiredField('A link has no `link_type`.');
const refusedLinks = [unknownProduct, optionTypeNotFound, noType];

const types = Object.entries(linkTypes).map(([name, code]) => ({ code, name }));

const listTypes = route({
  ...access,
  method: 'GET',
  path: '/V1/products/links/types',
  name: 'listProductLinkTypes',
  summary: 'List the types of links between products',
  description: 'What `link_type` of a link may be, with the number the platform has for it.',
  outcomes: [],
  examples: [{ title: 'All', response: types }],
  response: z.array(z.object({ code: z.int(), name: z.string() })),
  handle: async () => types,
});

const listTypeAttributes = route({
  ...access,
  method: 'GET',
  path: '/V1/products/links/:type/attributes',
  name: 'listProductLinkAttributes',
  summary: 'List what a link of a type carries',
  description: 'Its place among the others; with a grouped product also how many pieces belong to it.',
  outcomes: [linkTypeUnknown],
  examples: [{ title: 'Related', params: { type: 'related' }, response: [{ code: 'position', type: 'int' }] }],
  params: z.object({ type: z.string() }),
  response: z.array(z.object({ code: z.string(), type: z.string() })),

  async handle({ params: { type } }) {
    if (!isLinkType(type)) throw linkTypeUnknown([type]);
    const position = { code: 'position', type: 'int' };
    return type === 'associated' ? [position, { code: 'qty', type: 'decimal' }] : [position];
  },
});

const listLinks = route({
  ...access,
  method: 'GET',
  path: '/V1/products/:sku/links/:type',
  name: 'listProductLinks',
  summary: 'List the links of a product',
  description: 'Those of one type, by their positions.',
  outcomes: [unknownProduct, linkTypeUnknown],
  examples: [{ title: 'Related', params: { sku: 'MUG-BLUE', type: 'related' }, response: [related] }],
  params: z.object({ sku: z.string(), type: z.string() }),
  response: z.array(productLinkAnswer),

  async handle({ em, params }) {
    const { sku, links } = await readLinks(em, params);
    return links.map((link) => renderProductLink(sku, link));
  },
});

const setLinks = route({
  ...access,
  method: 'POST',
  path: '/V1/products/:sku/links',
  name: 'setProductLinks',
  summary: 'Replace links of a product',
  description: 'Those of each type that is named; links of other types stay. A repeat changes nothing.',
  outcomes: refusedLinks,
  examples: [{ title: 'One related product', params: { sku: 'MUG-BLUE' }, body: { items: [sent] }, response: true }],
  params: z.object({ sku: z.string() }),
  body: z.object({ items: z.array(productLinkPayload).max(maxLinks) }),
  response: z.literal(true),

  handle: ({ em, params: { sku }, body }) => done(replaceLinks(em, { sku, drafts: body.items.map(toLinkDraft) })),
});

const saveLink = route({
  ...access,
  method: 'PUT',
  path: '/V1/products/:sku/links',
  name: 'saveProductLink',
  summary: 'Add a link to a product',
  description: 'Or give one another position. A repeat changes nothing.',
  outcomes: refusedLinks,
  examples: [{ title: 'At the first place', params: { sku: 'MUG-BLUE' }, body: { entity: sent }, response: true }],
  params: z.object({ sku: z.string() }),
  body: z.object({ entity: productLinkPayload }),
  response: z.literal(true),

  handle: ({ em, params: { sku }, body }) => done(putLink(em, { sku, draft: toLinkDraft(body.entity) })),
});

const deleteLink = route({
  ...access,
  method: 'DELETE',
  path: '/V1/products/:sku/links/:type/:linkedProductSku',
  name: 'deleteProductLink',
  summary: 'Delete a link of a product',
  description: 'The linked product stays as it is. A repeat is a 404.',
  outcomes: [unknownProduct, linkTypeUnknown, linkedProductMissing],
  examples: [
    {
      title: 'Deleted',
      params: { sku: 'MUG-BLUE', type: 'related', linkedProductSku: 'LAMP-01' },
      response: true,
    },
  ],
  params: z.object({ sku: z.string(), type: z.string(), linkedProductSku: z.string() }),
  response: z.literal(true),

  handle: ({ em, params: { sku, type, linkedProductSku } }) =>
    done(dropLink(em, { sku, type, linkedSku: linkedProductSku })),
});

/** The links between products (platform facts 9.1). */
export const productLinkRoutes: readonly AnyRoute[] = [
  listTypes,
  listTypeAttributes,
  listLinks,
  setLinks,
  saveLink,
  deleteLink,
];
