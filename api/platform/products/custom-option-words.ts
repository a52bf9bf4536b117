import type { z } from 'zod';
import type { Outcome } from '../../http/route.ts';
import { unknownProduct } from './product-words.ts';
import type { customOptionAnswer } from './render-custom-option.ts';

/** What the routes of custom options share. */

export const customOptionExample: z.input<typeof customOptionAnswer> = {
  ...{ product_sku: 'MUG-BLUE', option_id: 7, title: 'Engraving', type: 'field', sort_order: 1, is_require: false },
  ...{ price: 5, price_type: 'fixed', sku: 'ENGR', max_characters: 20 },
};

export const unknownOptionId: Outcome = {
  status: 404,
  message: 'No such entity.',
  when: 'The product has no option of this id, or the option no value of one.',
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

export const tooManyOptions: Outcome = {
  status: 400,
  message: 'Maximum items of type "%type" is %max',
  when: 'The product would have more than 200 options.',
};

export const refusedOption: readonly Outcome[] = [
  unknownProduct,
  unknownOptionId,
  ...wrongOption,
  {
    status: 400,
    message: 'The ProductSku is empty. Set the ProductSku and try again.',
    when: 'The product is not named.',
  },
];
