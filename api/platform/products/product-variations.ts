import { z } from 'zod';
import { findProductAttribute } from '../../../db/platform/catalog/search-product-attributes.ts';
import { fieldRequired, invalid } from '../../../domain/errors.ts';
import { toWire, zero } from '../../../domain/money/amount.ts';
import { combinationsOf, mostVariations } from '../../../domain/platform/catalog/configurable-options.ts';
import { route } from '../../http/route.ts';
import { optionPayload, productsDoor } from './configurable-words.ts';
import { productPayload } from './product-payload.ts';

/** More attributes than any product is chosen by. */
const mostOptions = 20;
/** Shown nowhere by itself. */
const hidden = 1;

const tooMany = 'Maximum items of type "%type" is %max';

const variation = z.object({
  sku: z.string(),
  name: z.string(),
  price: z.number(),
  status: z.int(),
  visibility: z.int(),
  extension_attributes: z.array(z.unknown()),
  product_links: z.array(z.unknown()),
  tier_prices: z.array(z.unknown()),
  custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.string() })),
});

/** The products that the values of a product's options make; saves nothing (platform facts 9.1). */
export const generateVariations = route({
  ...productsDoor,
  method: 'PUT',
  path: '/V1/configurable-products/variation',
  name: 'generateVariations',
  summary: 'Work out the products behind a configurable one',
  description: 'A product for each combination of values, to be saved by the caller. Nothing is saved.',
  outcomes: [
    { status: 400, message: tooMany, when: 'There are more than 1,000 combinations.' },
    {
      status: 404,
      message: 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
      when: 'An option names an unknown attribute.',
    },
  ],
  examples: [
    {
      title: 'One size',
      body: {
        product: { sku: 'SHIRT', name: 'Shirt', price: 10 },
        options: [{ attribute_id: 'color', label: 'Colour', values: [{ value_index: 9 }] }],
      },
      response: [
        {
          ...{ sku: 'SHIRT-9', name: 'Shirt-9', price: 10, status: 1, visibility: hidden },
          ...{ extension_attributes: [], product_links: [], tier_prices: [] },
          custom_attributes: [{ attribute_code: 'color', value: '9' }],
        },
      ],
    },
  ],
  body: z.object({ product: productPayload, options: z.array(optionPayload).max(mostOptions) }),
  response: z.array(variation),

  async handle({ em, body: { product, options } }) {
    const chosen = [];
    for (const { attributeId, values = [] } of options) {
      if (attributeId === undefined) throw fieldRequired('attributeId');
      const { attribute_code: code } = await findProductAttribute(em, attributeId);
      chosen.push({ attribute_id: code, values: values.map(({ valueIndex = 0 }) => ({ value_index: valueIndex })) });
    }
    const combinations = combinationsOf(chosen);
    if (!combinations) throw invalid(tooMany, { type: 'variation', max: mostVariations });
    return combinations.map((values) => {
      const suffix = values.map(({ value_index: index }) => `-${index}`).join('');
      return {
        ...{ sku: `${product.sku ?? ''}${suffix}`, name: `${product.name ?? ''}${suffix}` },
        ...{ price: toWire(product.price ?? zero), status: 1, visibility: hidden },
        ...{ extension_attributes: [], product_links: [], tier_prices: [] },
        custom_attributes: values.map(({ attribute_id: code, value_index: index }) => ({
          ...{ attribute_code: code, value: String(index) },
        })),
      };
    });
  },
});
