import { z } from 'zod';
import { findOption, removeOption, saveOption } from '../../../db/platform/catalog/product-links.ts';
import { findProduct } from '../../../db/platform/catalog/find-product.ts';
import { storedSku } from '../../../db/platform/catalog/read-products.ts';
import type { OptionDraft } from '../../../domain/platform/catalog/custom-options.ts';
import { productSkuEmpty } from '../../../domain/refusals/catalog.ts';
import { noSuchRecord, tooManyItems } from '../../../domain/refusals/platform.ts';
import { route, type AnyRoute, type Outcome, type RouteContext } from '../../http/route.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { flag, idParam, integer, payload, storedMoney, text } from '../../wire/schemas.ts';
import { unknownProduct } from './product-websites.ts';
import { customOptionAnswer, renderCustomOption } from './render-product.ts';

/** More values than any option has. */
const mostValues = 1_000;

const ignored = z.unknown().optional();

const price = {
  price: storedMoney.optional(),
  priceType: text(32).optional(),
  sku: text(64).nullish(),
};

const optionValue = payload({
  optionTypeId: idParam.optional(),
  title: text(255).optional(),
  sortOrder: integer.optional(),
  ...price,
  extensionAttributes: ignored,
});

/** An option as a caller sends it (platform facts 9.1). Where options come with their product, its SKU counts. */
export const customOptionPayload = payload({
  productSku: text(64).optional(),
  optionId: idParam.optional(),
  title: text(255).optional(),
  type: text(32).optional(),
  sortOrder: integer.optional(),
  isRequire: flag.optional(),
  ...price,
  fileExtension: text(255).nullish(),
  maxCharacters: integer.optional(),
  imageSizeX: integer.optional(),
  imageSizeY: integer.optional(),
  values: z.array(optionValue).max(mostValues).optional(),
  extensionAttributes: ignored,
}).meta({ id: 'ProductCustomOption' });

/** The catalog's terms. An id of 0 is none, as a form sends it. */
export const toOptionDraft = ({
  optionId,
  productSku: _known,
  extensionAttributes: _ignored,
  values,
  ...draft
}: z.output<typeof customOptionPayload>): OptionDraft => ({
  ...draft,
  optionId: optionId || undefined,
  values: values?.map(({ optionTypeId, extensionAttributes: _none, ...value }) => ({
    ...value,
    optionTypeId: optionTypeId || undefined,
  })),
});

/** What the routes of custom options share. */

const customOptionExample: z.input<typeof customOptionAnswer> = {
  ...{ product_sku: 'MUG-BLUE', option_id: 7, title: 'Engraving', type: 'field', sort_order: 1, is_require: false },
  ...{ price: 5, price_type: 'fixed', sku: 'ENGR', max_characters: 20 },
};

/** What is refused of an option, with its product or alone. */
export const wrongOption: readonly Outcome[] = [
  {
    status: 400,
    message: 'Missed values for option required fields',
    when: 'The option has no title, or no type. Several faults are a line each.',
  },
  { status: 400, message: 'Invalid option type', when: 'There is no such type.' },
  {
    status: 400,
    message: 'Invalid option value',
    when: 'The price type is neither `fixed` nor `percent`, a limit is below zero, or a choice has no values.',
  },
];

export const tooManyOptions: Outcome = tooManyItems.because('The product would have more than 200 options.');

const refusedOption: readonly Outcome[] = [unknownProduct, noSuchRecord, ...wrongOption, productSkuEmpty];

const types = [
  { label: 'Field', code: 'field', group: 'Text' },
  { label: 'Area', code: 'area', group: 'Text' },
  { label: 'File', code: 'file', group: 'File' },
  { label: 'Drop-down', code: 'drop_down', group: 'Select' },
  { label: 'Radio Buttons', code: 'radio', group: 'Select' },
  { label: 'Checkbox', code: 'checkbox', group: 'Select' },
  { label: 'Multiple Select', code: 'multiple', group: 'Select' },
  { label: 'Date', code: 'date', group: 'Date' },
  { label: 'Date & Time', code: 'date_time', group: 'Date' },
  { label: 'Time', code: 'time', group: 'Date' },
];

/** The types that a custom option may have (platform facts 9.1). */
const listCustomOptionTypes = route({
  method: 'GET',
  path: '/V1/products/options/types',
  acl: 'Platform_Catalog::products',
  name: 'listCustomOptionTypes',
  summary: 'List the types of custom options',
  description: 'What `type` of an option may be. Carts keep no files.',
  outcomes: [],
  examples: [{ title: 'All', response: types }],
  response: z.array(z.object({ label: z.string(), code: z.string(), group: z.string() })),
  handle: async () => types,
});

const access = { acl: 'Platform_Catalog::products' } as const;
const ofProduct = z.object({ sku: z.string() });
const ofOption = z.object({ sku: z.string(), optionId: idParam });
const ofSku = { sku: 'MUG-BLUE' };
const noOption = unknownEntity('The product has no option of this id.');

/** The options of a product (platform facts 9.1). Refused with 404: unknown sku. */
const listOptions = route({
  ...access,
  method: 'GET',
  path: '/V1/products/:sku/options',
  name: 'listCustomOptions',
  summary: 'List the custom options of a product',
  description: 'What a customer enters or chooses beside the product, such as an engraving, in their order.',
  outcomes: [unknownProduct],
  examples: [{ title: 'One', params: ofSku, response: [customOptionExample] }],
  params: ofProduct,
  response: z.array(customOptionAnswer),

  async handle({ reader, params }) {
    const { sku, options } = await findProduct(reader, params.sku);
    return options.map((option) => renderCustomOption(option, sku));
  },
});

/** One of them. Refused with 404: unknown sku, an option that is not the product's. */
const getOption = route({
  ...access,
  method: 'GET',
  path: '/V1/products/:sku/options/:optionId',
  name: 'getCustomOption',
  summary: 'Read a custom option of a product',
  description: 'By its id. A price below zero makes the product cheaper.',
  outcomes: [unknownProduct, noOption],
  examples: [{ title: 'An engraving', params: { ...ofSku, optionId: 7 }, response: customOptionExample }],
  params: ofOption,
  response: customOptionAnswer,

  async handle({ reader, params }) {
    const { sku, options } = await findProduct(reader, params.sku);
    return renderCustomOption(findOption(options, params.optionId), sku);
  },
});

/** Deletes an option; carts that have it are refused when they are placed. A repeat is a 404, as is an unknown sku. */
const removeOptionRoute = route({
  ...access,
  method: 'DELETE',
  path: '/V1/products/:sku/options/:optionId',
  name: 'deleteCustomOption',
  summary: 'Delete a custom option of a product',
  description: `Orders keep what was chosen. A cart with the option cannot become an order until its line is changed. A
repeat is a 404.`,
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
const { option_id: _given, ...unsaved } = customOptionExample;

/** Refused with: 400 no sku, what `savedOption` refuses · 404 unknown sku, an id that is none of the product's. */
async function save({ em, workflows, log }: RouteContext, option: z.output<typeof customOptionPayload>) {
  const sku = option.productSku;
  if (!sku) throw productSkuEmpty();
  const saved = await saveOption(em, sku, toOptionDraft(option));
  await followPrices({ em, workflows, log });
  return renderCustomOption(saved, (await storedSku(em, sku)) ?? sku);
}

/** Adds an option, or changes the one of the sent id. Each call without an id adds one. Refused as `save`. */
const addOptionRoute = route({
  ...access,
  method: 'POST',
  path: '/V1/products/options',
  name: 'addCustomOption',
  summary: 'Add a custom option to a product',
  description: `With an \`option_id\` that option is changed. Of a choice \`values\` names all its values: one that is
    not
    sent is taken away. Each call without an id adds an option; an \`Idempotency-Key\` makes a repeat the same.`,
  outcomes: [...refusedOption, tooManyOptions],
  examples: [{ title: 'An engraving', body: { option: unsaved }, response: customOptionExample }],
  body,
  response: customOptionAnswer,
  handle: (call) => save(call, call.body.option),
});

/** Changes an option; the id of the path counts. Safe to repeat. Refused as `save`. */
const changeOptionRoute = route({
  ...access,
  method: 'PUT',
  path: '/V1/products/options/:optionId',
  name: 'changeCustomOption',
  summary: 'Change a custom option of a product',
  description: `What is not sent stays; \`values\` is the whole list. \`product_sku\` names the product. The id of the
path counts. A
    change holds in every store view. A repeat changes nothing.`,
  outcomes: refusedOption,
  examples: [{ title: 'Dearer', params: { optionId: 7 }, body: { option: unsaved }, response: customOptionExample }],
  params: z.object({ optionId: idParam }),
  body,
  response: customOptionAnswer,
  handle: (call) => save(call, { ...call.body.option, optionId: call.params.optionId }),
});

/** Routes of the options that customers enter or choose beside a product (platform facts 9.1). */
export const customOptionRoutes: readonly AnyRoute[] = [
  ...[listCustomOptionTypes, listOptions, getOption, removeOptionRoute, addOptionRoute, changeOptionRoute],
];
