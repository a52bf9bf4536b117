import { z } from 'zod';
import { readProduct, storedSku } from '../../../db/platform/catalog/read-products.ts';
import { findOption, removeOption, saveOption } from '../../../db/platform/catalog/product-options.ts';
import { invalid } from '../../../domain/errors.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { customOptionPayload, toOptionDraft } from './custom-option-payload.ts';
import { customOptionExample as example, refusedOption, tooManyOptions } from './custom-option-words.ts';
import { listCustomOptionTypes } from './list-custom-option-types.ts';
import { unknownProduct } from './product-words.ts';
import { customOptionAnswer, renderCustomOption } from './render-custom-option.ts';

const door = { acl: 'Platform_Catalog::products' } as const;
const ofProduct = z.object({ sku: z.string() });
const ofOption = z.object({ sku: z.string(), optionId: idParam });
const ofSku = { sku: 'MUG-BLUE' };
const noOption = unknownEntity('The product has no option of this id.');

/** The options of a product (platform facts 9.1). Refused with 404: unknown sku. */
const listOptions = route({
  ...door,
  method: 'GET',
  path: '/V1/products/:sku/options',
  name: 'listCustomOptions',
  summary: 'List the custom options of a product',
  description: 'What a customer enters or chooses beside the product, such as an engraving, in their order.',
  outcomes: [unknownProduct],
  examples: [{ title: 'One', params: ofSku, response: [example] }],
  params: ofProduct,
  response: z.array(customOptionAnswer),

  async handle({ reader, params }) {
    const { sku, options } = await readProduct(reader, params.sku);
    return options.map((option) => renderCustomOption(option, sku));
  },
});

/** One of them. Refused with 404: unknown sku, an option that is not the product's. */
const getOption = route({
  ...door,
  method: 'GET',
  path: '/V1/products/:sku/options/:optionId',
  name: 'getCustomOption',
  summary: 'Read a custom option of a product',
  description: 'By its id. A price below zero makes the product cheaper.',
  outcomes: [unknownProduct, noOption],
  examples: [{ title: 'An engraving', params: { ...ofSku, optionId: 7 }, response: example }],
  params: ofOption,
  response: customOptionAnswer,

  async handle({ reader, params }) {
    const { sku, options } = await readProduct(reader, params.sku);
    return renderCustomOption(findOption(options, params.optionId), sku);
  },
});

/** Deletes an option; carts that have it are refused when they are placed. A repeat is a 404, as is an unknown sku. */
const removeOptionRoute = route({
  ...door,
  method: 'DELETE',
  path: '/V1/products/:sku/options/:optionId',
  name: 'deleteCustomOption',
  summary: 'Delete a custom option of a product',
  description: `Orders keep what was chosen. A cart with the option cannot become an order until its line is changed. A repeat is a 404.`,
  outcomes: [unknownProduct, noOption],
  examples: [{ title: 'Deleted', params: { ...ofSku, optionId: 7 }, response: true }],
  params: ofOption,
  response: z.literal(true),

  async handle({ em, workflows, log, params: { sku, optionId } }) {
    await removeOption(em, sku, optionId);
    await followPrices({ em, workflows, log });
    return true as const;
  },
});

const body = z.object({ option: customOptionPayload });
const { option_id: _given, ...unsaved } = example;

/** Refused with: 400 no sku, what `savedOption` refuses · 404 unknown sku, an id that is none of the product's. */
async function save({ em, workflows, log }: RouteContext, option: z.output<typeof customOptionPayload>) {
  const sku = option.productSku;
  if (!sku) throw invalid('The ProductSku is empty. Set the ProductSku and try again.');
  const saved = await saveOption(em, sku, toOptionDraft(option));
  await followPrices({ em, workflows, log });
  return renderCustomOption(saved, (await storedSku(em, sku)) ?? sku);
}

/** Adds an option, or changes the one of the sent id. Each call without an id adds one. Refused as `save`. */
const addOptionRoute = route({
  ...door,
  method: 'POST',
  path: '/V1/products/options',
  name: 'addCustomOption',
  summary: 'Add a custom option to a product',
  description: `With an \`option_id\` that option is changed. Of a choice \`values\` names all its values: one that is not
    sent is taken away. Each call without an id adds an option; an \`Idempotency-Key\` makes a repeat the same.`,
  outcomes: [...refusedOption, tooManyOptions],
  examples: [{ title: 'An engraving', body: { option: unsaved }, response: example }],
  body,
  response: customOptionAnswer,
  handle: (call) => save(call, call.body.option),
});

/** Changes an option; the id of the path counts. Safe to repeat. Refused as `save`. */
const changeOptionRoute = route({
  ...door,
  method: 'PUT',
  path: '/V1/products/options/:optionId',
  name: 'changeCustomOption',
  summary: 'Change a custom option of a product',
  description: `What is not sent stays; \`values\` is the whole list. \`product_sku\` names the product. The id of the path counts. A
    change holds in every store view. A repeat changes nothing.`,
  outcomes: refusedOption,
  examples: [{ title: 'Dearer', params: { optionId: 7 }, body: { option: unsaved }, response: example }],
  params: z.object({ optionId: idParam }),
  body,
  response: customOptionAnswer,
  handle: (call) => save(call, { ...call.body.option, optionId: call.params.optionId }),
});

/** Routes of the options that customers enter or choose beside a product (platform facts 9.1). */
export const customOptionRoutes: readonly AnyRoute[] = [
  ...[listCustomOptionTypes, listOptions, getOption, removeOptionRoute, addOptionRoute, changeOptionRoute],
];
