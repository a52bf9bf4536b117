import { z } from 'zod';
import { codeIsReserved, codeIsTaken } from '../../../db/platform/catalog/save-product-attribute.ts';
import {
  noSuchOptionHere,
  optionExists,
  optionIsNameless,
} from '../../../db/platform/catalog/write-attribute-options.ts';
import type { Outcome } from '../../http/route.ts';
import { unknownAttribute } from '../../wire/attribute-words.ts';
import { requiredField, invalidField } from '../../wire/outcomes.ts';

/** Texts that the routes of product attributes share. */

export const attributeDoor = { acl: 'Platform_Catalog::attributes_attributes' } as const;

export const unknown = unknownAttribute('Neither the platform nor the shop has such an attribute.');

export const ofAttribute = z.object({ attributeCode: z.string() });

export const namelessOption: Outcome = { status: 400, message: optionIsNameless, when: 'An option has no label.' };

export const sameOption: Outcome = {
  status: 400,
  message: optionExists,
  when: 'Another option of the attribute has the label, in any case of letters.',
};

export const unknownOptionId: Outcome = {
  status: 400,
  message: noSuchOptionHere,
  when: 'The attribute has no option of this id.',
};

export const wrongValue: Outcome = invalidField(
  'The code has another form, the input is not one of the types, no product could have the default, or a label is for an unknown store view.',
);

export const refusedCodes: readonly Outcome[] = [
  requiredField('There is no label.'),
  { status: 400, message: codeIsReserved, when: 'The code means something else in a product.' },
  { status: 400, message: codeIsTaken, when: 'The shop or the platform has an attribute of this code.' },
];
