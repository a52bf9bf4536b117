import type { Outcome } from '../http/route.ts';

/** Refusals of most routes of returns. */

export const unknownReturn: Outcome = {
  status: 404,
  message: 'Return with id %1 does not exist',
  when: 'No return has this id.',
};

export const unknownLocation: Outcome = {
  status: 404,
  message: 'Location with id %1 does not exist',
  when: 'No location has this id.',
  then: 'Pull the configuration again.',
};

export const returnNotReady: Outcome = {
  status: 409,
  code: 'return_not_ready',
  message: 'Return 000000023 is still being created. Nothing was changed; try again in a moment.',
  when: 'The return is still worked on by an earlier call.',
  then: 'Send the same request again, or read the return.',
};

/** A status that a return cannot be set to by hand. */
export const refusedMoves: readonly Outcome[] = [
  {
    status: 400,
    message: 'A return in status "%1" cannot be set to "%2". By hand it can be set to: %3.',
    when: 'The move is not allowed, or the status is final.',
    then: 'Choose one of the third parameter.',
  },
  {
    status: 400,
    message: 'A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.',
    when: 'A verb of its own sets this status.',
    then: 'Call that verb.',
  },
];

export const gatewayUncertain: Outcome = {
  status: 409,
  code: 'gateway_uncertain',
  message: 'The gateway has not said whether the refund went through. Nothing is refunded until that is known.',
  when: 'The answer of the card processor was lost. `refund_attempt_id` and `return_id` name what is open.',
  then: 'Hand no cash out. Tell the customer. Read the return again later.',
};

export const cardTookLess: Outcome = {
  status: 400,
  code: 'card_took_less',
  message:
    'The payment by "vendor_provider_a" took 60 of this sale and can take back 60, not 108. Return goods of that value to it, and the others another way.',
  when: 'The card paid a part of the sale, or gave a part back. `card_left` is what it can take back.',
  then: 'Make one return for each tender, or settle in another way.',
};

export const gatewayRefused: Outcome = {
  status: 400,
  code: 'gateway_refused',
  message: 'The refund did not go through: The gateway refused the refund.',
  when: 'The card processor said no. The return is parked.',
  then: 'Settle it another way, in cash for instance.',
};

export const notEligible: Outcome = {
  status: 400,
  code: 'return_not_eligible',
  message: 'An item cannot be returned: This product cannot be returned.',
  when:
    '`reason_code` says why: `quantity`, `not_returnable`, `outside_period`, `vendor_rule`, `resolution_unsupported` or ' +
    '`resolution_not_allowed`. `order_item_id` is the line, 0 the whole order.',
  then: 'Show the sentence. Nothing was created.',
};

export const providerAway: Outcome = {
  status: 503,
  message: 'The returns provider "warehouse" cannot be asked. Try again in a moment.',
  when: 'The service that decides on returns does not answer.',
  then: 'Send the same request again after `Retry-After` seconds.',
};
