import type { z } from 'zod';
import type { Outcome } from '../../http/route.ts';
import type { cartItemAnswer } from './cart-item-answer.ts';

/** What routes of carts say of the custom options of a line. */

/** What is to stand on the mug: the option 7 of the product. */
export const exampleEngraving = {
  extension_attributes: { custom_options: [{ option_id: '7', option_value: 'For Ada' }] },
};

export const exampleEngraved: z.input<typeof cartItemAnswer> = {
  ...{ item_id: 5, sku: 'MUG-BLUE-ENGR', qty: 1, name: 'Blue mug', price: 17.5, product_type: 'simple', quote_id: '7' },
  product_option: exampleEngraving,
};

const unavailableOption = 'Some of the selected item options are not currently available.';

/** Why a line's custom options are not those of its product any more. */
export const changedOptions: readonly Outcome[] = [
  {
    status: 400,
    message: unavailableOption,
    when: 'A custom option of a line, or its value, was taken off the product, or is not taken so any more.',
    then: 'Change the line, or take it out.',
  },
  {
    status: 400,
    message: 'The product has required options. Enter the options and try again.',
    when: 'A custom option must be entered since the line was put into the cart.',
    then: 'Change the line.',
  },
];

/** Why a product cannot be put into a cart with these custom options. */
export const wrongOptions: readonly Outcome[] = [
  {
    status: 400,
    message: "The product's required option(s) weren't entered. Make sure the options are entered and try again.",
    when: 'A custom option that must be entered has no value. Several faults of options are a line of the message each.',
  },
  {
    status: 400,
    message: unavailableOption,
    when: 'The product has no such custom option, or the option no such value; or one is sent twice.',
  },
  {
    status: 400,
    message: 'The text is too long. Shorten the text and try again.',
    when: 'It has more characters than `max_characters` of the option.',
  },
  {
    status: 400,
    message: 'Please specify date required option(s).',
    when: 'What was sent for a date is no day. Send `2026-12-24 00:00:00`.',
  },
  {
    status: 400,
    message: 'Please specify time required option(s).',
    when: 'What was sent for a time, or for a date with a time, has none. Send `18:30:00`.',
  },
  {
    status: 400,
    message: 'A cart cannot keep a file. Send the line without it.',
    when: 'Something was sent for an option of the type `file`.',
    then: 'Place the order with the option in its line.',
  },
];
