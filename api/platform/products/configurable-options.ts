import { z } from 'zod';
import {
  addOption,
  changeOption,
  readOptions,
  removeOption,
  type OptionDraft,
} from '../../../db/platform/catalog/configurable-products.ts';
import { notFound } from '../../../domain/errors.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import {
  optionAnswer,
  optionExample as example,
  optionPayload,
  productsDoor as door,
  unknownOption,
} from './configurable-words.ts';
import { unknownProduct } from './product-words.ts';

const ofProduct = z.object({ sku: z.string() });
const ofOption = z.object({ sku: z.string(), id: idParam });
const params = { sku: 'SHIRT' };

const otherType: Outcome = {
  status: 400,
  message: 'This is implemented for the "%1" configurable product only.',
  when: 'The product has another type.',
};
const listOptions = route({
  ...door,
  method: 'GET',
  path: '/V1/configurable-products/:sku/options/all',
  name: 'listConfigurableOptions',
  summary: 'List the options of a configurable product',
  description: 'What a customer chooses, such as size and colour, with the values that there are.',
  outcomes: [unknownProduct, otherType],
  examples: [{ title: 'One', params, response: [example] }],
  params: ofProduct,
  response: z.array(optionAnswer),
  handle: ({ em, params: { sku } }) => readOptions(em, sku),
});

const noEntity = 'The "%1" entity that was requested doesn\'t exist. Verify the entity and try again.';

const getOption = route({
  ...door,
  method: 'GET',
  path: '/V1/configurable-products/:sku/options/:id',
  name: 'getConfigurableOption',
  summary: 'Read an option of a configurable product',
  description: 'By its id, which is one of its product.',
  outcomes: [unknownProduct, otherType, { status: 404, message: noEntity, when: 'The product has no such option.' }],
  examples: [{ title: 'The size', params: { ...params, id: 1 }, response: example }],
  params: ofOption,
  response: optionAnswer,

  async handle({ em, params: { sku, id } }) {
    const option = (await readOptions(em, sku)).find((one) => one.id === id);
    if (!option) throw notFound(noEntity, [id]);
    return option;
  },
});

const draftOf = ({ attributeId, label, position, values }: z.output<typeof optionPayload>): OptionDraft => ({
  ...{ attributeId, label, position: position ?? undefined },
  values: values?.map(({ valueIndex }) => ({ valueIndex })),
});
const sent = { option: { attribute_id: '21', label: 'Size', position: 0, values: [{ value_index: 9 }] } };

const addOptionRoute = route({
  ...door,
  method: 'POST',
  path: '/V1/configurable-products/:sku/options',
  name: 'addConfigurableOption',
  summary: 'Add an option to a product',
  description: 'A simple product becomes a configurable one. Answers the id. A repeat is refused.',
  outcomes: [
    unknownProduct,
    otherType,
    { status: 400, message: 'Product already has this option', when: 'The attribute is an option already.' },
    { status: 400, message: 'Option values are not specified.', when: 'They are missing; so for its other fields.' },
  ],
  examples: [{ title: 'The size', params, body: sent, response: 1 }],
  params: ofProduct,
  body: z.object({ option: optionPayload }),
  response: z.int(),
  handle: ({ em, params: { sku }, body: { option } }) => addOption(em, sku, draftOf(option)),
});

const changeOptionRoute = route({
  ...door,
  method: 'PUT',
  path: '/V1/configurable-products/:sku/options/:id',
  name: 'changeConfigurableOption',
  summary: 'Change an option of a configurable product',
  description: 'What is not sent stays; the id of the path counts. Answers the id.',
  outcomes: [
    unknownProduct,
    otherType,
    { status: 404, message: 'Option with id "%1" not found', when: 'The product has no such option.' },
  ],
  examples: [{ title: 'Another label', params: { ...params, id: 1 }, body: sent, response: 1 }],
  params: ofOption,
  body: z.object({ option: optionPayload }),
  response: z.int(),
  handle: ({ em, params: { sku, id }, body: { option } }) => changeOption(em, sku, { ...draftOf(option), id }),
});

const removeOptionRoute = route({
  ...door,
  method: 'DELETE',
  path: '/V1/configurable-products/:sku/options/:id',
  name: 'deleteConfigurableOption',
  summary: 'Delete an option of a configurable product',
  description: 'Its children are taken off, too, as on the platform; the products stay. A repeat is a 404.',
  outcomes: [unknownProduct, otherType, unknownOption],
  examples: [{ title: 'Deleted', params: { ...params, id: 1 }, response: true }],
  params: ofOption,
  response: z.literal(true),

  async handle({ em, params: { sku, id } }) {
    await removeOption(em, sku, id);
    return true as const;
  },
});

/** What a customer chooses by (platform facts 9.1). */
export const configurableOptionRoutes: readonly AnyRoute[] = [
  ...[listOptions, getOption, addOptionRoute, changeOptionRoute, removeOptionRoute],
];
