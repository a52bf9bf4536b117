import { z } from 'zod';
import { setIsDefault, setIsUsed } from '../../../db/platform/catalog/delete-attribute-set.ts';
import { notOfProducts } from '../../../db/platform/catalog/lock-attribute-set.ts';
import { nameIsTaken, setIsNameless, setIsNotSaved } from '../../../db/platform/catalog/save-attribute-set.ts';
import type { AttributeSetFound } from '../../../db/platform/catalog/search-attribute-sets.ts';
import type { Outcome } from '../../http/route.ts';
import { growing, idParam, integer, text } from '../../wire/schemas.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

/** Texts and shapes that the routes of attribute sets share. */

export const setDoor = { acl: 'Platform_Catalog::sets' } as const;

export const ofSet = z.object({ attributeSetId: idParam });

export const setAnswer = z
  .object({
    attribute_set_id: z.int(),
    attribute_set_name: z.string(),
    sort_order: z.int(),
    entity_type_id: z.int(),
  })
  .meta({ id: 'AttributeSet' });

/** A set as it is sent; what a read answered may be sent back. */
export const setPayload = growing({
  attributeSetId: integer.optional(),
  attributeSetName: text(255).optional(),
  sortOrder: integer.optional(),
  entityTypeId: integer.optional(),
}).meta({ id: 'AttributeSetToSave' });

export const renderSet = (row: AttributeSetFound): z.input<typeof setAnswer> => ({
  attribute_set_id: row.attribute_set_id,
  attribute_set_name: row.attribute_set_name,
  sort_order: row.sort_order,
  entity_type_id: row.entity_type_id,
});

export const exampleSet = renderSet({
  ...{ attribute_set_id: 4, attribute_set_name: 'Default', sort_order: 1, entity_type_id: 4 },
});

export const exampleOwnSet = renderSet({
  ...{ attribute_set_id: 9, attribute_set_name: 'Shoes', sort_order: 10, entity_type_id: 4 },
});

export const unknownSet: Outcome = unknownEntity('There is no set of this id.');

export const setOfOthers: Outcome = {
  status: 400,
  message: notOfProducts,
  when: 'The set is that of other records, such as customers.',
};

export const refusedNames: readonly Outcome[] = [
  { status: 400, message: setIsNameless, when: 'There is no name.' },
  { status: 400, message: nameIsTaken('…'), when: 'A set has the name, in any case of letters.' },
];

export const unsavable: Outcome = {
  status: 400,
  message: setIsNotSaved,
  when: 'The name is empty, or another set has it.',
};

export const hasId: Outcome = {
  status: 400,
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  when: 'An id is sent: a new set has none.',
};

export const refusedDeletes: readonly Outcome[] = [
  { status: 400, message: setIsDefault, when: 'The set is the default one of its records.' },
  { status: 400, message: setIsUsed, when: 'Products have the set.', then: 'Give them another set first.' },
];

/** What both addresses of a set take for a change, and answer. */
export const changesSet = {
  examples: [
    {
      title: 'Another name',
      params: { attributeSetId: 9 },
      body: { attributeSet: { attribute_set_name: 'Shoes', entity_type_id: 4, sort_order: 10 } },
      response: exampleOwnSet,
    },
  ],
  params: ofSet,
  body: z.object({ attributeSet: setPayload }),
  response: setAnswer,
};

/** The same for a delete. */
export const deletesSet = {
  examples: [{ title: 'Gone', params: { attributeSetId: 9 }, response: true }],
  params: ofSet,
  response: z.literal(true),
};
