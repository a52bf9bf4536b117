import { z } from 'zod';
import {
  addAttributeOption,
  changeAttributeOption,
  noSuchOption,
  removeAttributeOption,
  takesNone,
} from '../../../db/platform/catalog/attribute-options.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { optionPayload, toOptionDraft } from './attribute-payload.ts';
import {
  attributeDoor,
  namelessOption,
  ofAttribute,
  sameOption,
  unknown,
  unknownOptionId,
  wrongValue,
} from './attribute-words.ts';

const ofOption = z.object({ attributeCode: z.string(), optionId: idParam });
const body = z.object({ option: optionPayload });

const noOptions: Outcome = {
  status: 400,
  message: takesNone,
  when: 'The input is neither `select` nor `multiselect`, or the platform itself decides what can be chosen.',
};

/** Adds an option (platform facts 9.1). Refused as `addAttributeOption`; so is a repeat. */
const addOption = route({
  ...attributeDoor,
  method: 'POST',
  path: '/V1/products/attributes/:attributeCode/options',
  name: 'addOptionToProductAttribute',
  summary: 'Add an option to an attribute of products',
  description: 'The answer is the id of the option, which products have as their value.',
  outcomes: [unknown, noOptions, namelessOption, sameOption, wrongValue],
  examples: [
    { title: 'A colour', params: { attributeCode: 'color' }, body: { option: { label: 'Red' } }, response: '12' },
  ],
  params: ofAttribute,
  body,
  response: z.string(),

  handle: async ({ em, params: { attributeCode }, body: { option } }) =>
    String(await addAttributeOption(em, attributeCode, toOptionDraft(option))),
});

/** Changes an option (platform facts 9.1). Refused as `changeAttributeOption`. A repeat changes nothing. */
const updateOption = route({
  ...attributeDoor,
  method: 'PUT',
  path: '/V1/products/attributes/:attributeCode/options/:optionId',
  name: 'updateOptionOfProductAttribute',
  summary: 'Change an option of an attribute of products',
  description: 'The label is always needed. What else is not sent stays. The id of the path counts, not `value`.',
  outcomes: [unknown, noOptions, unknownOptionId, namelessOption, sameOption, wrongValue],
  examples: [
    {
      title: 'Another label',
      params: { attributeCode: 'color', optionId: 12 },
      body: { option: { label: 'Crimson' } },
      response: true,
    },
  ],
  params: ofOption,
  body,
  response: z.literal(true),

  async handle({ em, params: { attributeCode, optionId }, body: { option } }) {
    await changeAttributeOption(em, attributeCode, { ...toOptionDraft(option), id: optionId });
    return true as const;
  },
});

/** Removes an option. Refused as `removeAttributeOption`; a repeat is a 404. */
const removeOption = route({
  ...attributeDoor,
  method: 'DELETE',
  path: '/V1/products/attributes/:attributeCode/options/:optionId',
  name: 'removeOptionOfProductAttribute',
  summary: 'Remove an option of an attribute of products',
  description: 'Products that have it lose the value. A repeat is a 404.',
  outcomes: [
    unknown,
    noOptions,
    { status: 404, message: noSuchOption, when: 'The attribute has no option of this id.' },
  ],
  examples: [{ title: 'Gone', params: { attributeCode: 'color', optionId: 12 }, response: true }],
  params: ofOption,
  response: z.literal(true),

  async handle({ em, params: { attributeCode, optionId } }) {
    await removeAttributeOption(em, attributeCode, optionId);
    return true as const;
  },
});

/** The options of attributes that the shop decides (platform facts 9.1). */
export const attributeOptionRoutes: readonly AnyRoute[] = [addOption, updateOption, removeOption];
