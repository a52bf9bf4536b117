import { wrongValue } from '../../../db/platform/catalog/attribute-rules.ts';
import { notAPrice } from '../../../db/platform/catalog/check-attributes.ts';
import { noSuchSet } from '../../../db/platform/catalog/demand-values.ts';
import { valueIsNotUnique } from '../../../db/platform/catalog/unique-values.ts';
import type { Outcome } from '../../http/route.ts';
import { tooManyOptions, unknownOptionId, wrongOption } from './custom-option-words.ts';
import { invalidField } from '../../wire/outcomes.ts';

/** Refusals that several routes of this folder share. */

const incompleteProduct: Outcome = {
  status: 400,
  message: 'The "%1" attribute value is empty. Set the attribute and try again.',
  when: 'A new product without name or price, or one that gets no value where its attribute set demands one.',
};

const sameTaxTwice: Outcome = {
  status: 400,
  message:
    'Set unique country-state combinations within the same fixed product tax. Verify the combinations and try again.',
  when: 'A fixed product tax names a place of a website twice.',
};

const wrongSpecialPrice: Outcome = {
  status: 400,
  message: notAPrice,
  when: 'A special price, a cost or another price is below zero, or no number.',
};

const wrongAttribute: Outcome = {
  status: 400,
  message: wrongValue,
  when: 'A value is none of its attribute: no day such as `2030-12-31`, no yes or no, no option, no country, no number of a scanner.',
};

const wrongTierPrices: readonly Outcome[] = [
  {
    status: 400,
    message: 'Group price must be a number greater than 0.',
    when: 'A tier price is missing or below zero.',
  },
  {
    status: 400,
    message: 'Percentage value must be a number between 0 and 100.',
    when: 'A tier takes off less than nothing or more than all.',
  },
  {
    status: 400,
    message: 'We found a duplicate website, tier price, customer group and quantity.',
    when: 'Two tier prices are for the same website, group and quantity.',
  },
];

const wrongProductValue: Outcome = invalidField(
  'A negative price; a website, a customer group, a category or a tax class that does not exist.',
);

const demandedValues: readonly Outcome[] = [
  { status: 400, message: noSuchSet, when: 'There is no set of products of the id `attribute_set_id`.' },
  { status: 400, message: valueIsNotUnique, when: 'One product alone may have the value, and another has it.' },
];

/** How a product that is saved can be refused, new or not. */
export const refusedProduct: readonly Outcome[] = [
  incompleteProduct,
  ...demandedValues,
  wrongProductValue,
  sameTaxTwice,
  wrongSpecialPrice,
  wrongAttribute,
  ...wrongTierPrices,
  ...wrongOption,
  tooManyOptions,
  unknownOptionId,
];
