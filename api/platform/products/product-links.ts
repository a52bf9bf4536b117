import { z } from 'zod';
import { dropLink, putLink, readLinks, replaceLinks } from '../../../db/platform/catalog/product-links.ts';
import { isLinkType, linkTypes } from '../../../domain/platform/catalog/product-links.ts';
import { notFound } from '../../../domain/errors.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { productLinkPayload, toLinkDraft } from './product-link-payload.ts';
import { unknownProduct } from './product-words.ts';
import { productLinkAnswer, renderProductLink } from './render-product-link.ts';
import { requiredField } from '../../wire/outcomes.ts';

const door = { acl: 'Platform_Catalog::catalog' } as const;

/** More links than any product has. */
const maxLinks = 1_000;

const sent = { link_type: 'related', linked_product_sku: 'LAMP-01', position: 1 };
const related = { ...sent, sku: 'MUG-BLUE', linked_product_type: 'simple' };

const unknownType: Outcome = {
  status: 404,
  message: 'The "%1" link type is unknown. Verify the type and try again.',
  when: 'There is no such type of links.',
};
const wrongType: Outcome = {
  status: 404,
  message: 'The "%1" link type wasn\'t found. Verify the type and try again.',
  when: 'A link names a type that does not exist.',
};
const noType: Outcome = requiredField('A link has no `link_type`.');
const refusedLinks = [unknownProduct, wrongType, noType];

const types = Object.entries(linkTypes).map(([name, code]) => ({ code, name }));

const listTypes = route({
  ...door,
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
  ...door,
  method: 'GET',
  path: '/V1/products/links/:type/attributes',
  name: 'listProductLinkAttributes',
  summary: 'List what a link of a type carries',
  description: 'Its place among the others; with a grouped product also how many pieces belong to it.',
  outcomes: [unknownType],
  examples: [{ title: 'Related', params: { type: 'related' }, response: [{ code: 'position', type: 'int' }] }],
  params: z.object({ type: z.string() }),
  response: z.array(z.object({ code: z.string(), type: z.string() })),

  async handle({ params: { type } }) {
    if (!isLinkType(type)) throw notFound(unknownType.message, [type]);
    const position = { code: 'position', type: 'int' };
    return type === 'associated' ? [position, { code: 'qty', type: 'decimal' }] : [position];
  },
});

const listLinks = route({
  ...door,
  method: 'GET',
  path: '/V1/products/:sku/links/:type',
  name: 'listProductLinks',
  summary: 'List the links of a product',
  description: 'Those of one type, by their positions.',
  outcomes: [unknownProduct, unknownType],
  examples: [{ title: 'Related', params: { sku: 'MUG-BLUE', type: 'related' }, response: [related] }],
  params: z.object({ sku: z.string(), type: z.string() }),
  response: z.array(productLinkAnswer),

  async handle({ em, params }) {
    const { sku, links } = await readLinks(em, params);
    return links.map((link) => renderProductLink(sku, link));
  },
});

const setLinks = route({
  ...door,
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

  async handle({ em, params: { sku }, body }) {
    await replaceLinks(em, { sku, drafts: body.items.map(toLinkDraft) });
    return true as const;
  },
});

const saveLink = route({
  ...door,
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

  async handle({ em, params: { sku }, body }) {
    await putLink(em, { sku, draft: toLinkDraft(body.entity) });
    return true as const;
  },
});

const deleteLink = route({
  ...door,
  method: 'DELETE',
  path: '/V1/products/:sku/links/:type/:linkedProductSku',
  name: 'deleteProductLink',
  summary: 'Delete a link of a product',
  description: 'The linked product stays as it is. A repeat is a 404.',
  outcomes: [
    unknownProduct,
    unknownType,
    { status: 404, message: "Product %1 doesn't have linked %2 as %3", when: 'There is no such link.' },
  ],
  examples: [
    {
      title: 'Deleted',
      params: { sku: 'MUG-BLUE', type: 'related', linkedProductSku: 'LAMP-01' },
      response: true,
    },
  ],
  params: z.object({ sku: z.string(), type: z.string(), linkedProductSku: z.string() }),
  response: z.literal(true),

  async handle({ em, params: { sku, type, linkedProductSku } }) {
    await dropLink(em, { sku, type, linkedSku: linkedProductSku });
    return true as const;
  },
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
