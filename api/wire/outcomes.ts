import { fieldRequired, invalidValue, noSuchEntity, type PosError } from '../../domain/errors.ts';

/** What routes of several features are refused with, for their outcomes. */

/** The outcome of a refusal, in its own words. */
const outcomeOf = ({ refusal: { status, message } }: PosError, when: string, then?: string) => ({
  status,
  message,
  when,
  ...(then === undefined ? {} : { then }),
});

/** 400 for an argument that is not sent (platform facts 2.3). */
export const requiredField = (when: string, then?: string) => outcomeOf(fieldRequired(''), when, then);

/** 400 for a value that a field cannot take (platform facts 2.3). */
export const invalidField = (when: string, then?: string) => outcomeOf(invalidValue('', ''), when, then);

/** 404 of the platform for whatever is not there (platform facts 2.3). */
export const unknownEntity = (when: string) => outcomeOf(noSuchEntity('', ''), when);

/** The platform's 404 for an unknown order (platform facts 2.4). */
export const unknownOrder = {
  status: 404,
  message: "The entity that was requested doesn't exist. Verify the entity and try again.",
  when: 'There is no order of this id.',
};

export const idIsZero = {
  status: 400,
  message: 'An ID is needed. Set the ID and try again.',
  when: 'The id is 0.',
};

export const cardNumber = {
  status: 400,
  message: 'The text must not be stored: it carries a card number.',
  when: 'A text that people write carries a card number.',
  then: 'Leave the number out.',
};

export const noActiveCart = {
  status: 404,
  message: 'Current customer does not have an active cart.',
  when: 'The customer has no cart, or its order is placed.',
  then: 'Open one.',
};

export const workflowsAway = {
  status: 503,
  message: 'The workflow service cannot be reached. Try again in a moment.',
  when: 'The service that does the work cannot be reached or is busy.',
  then: 'Send the same request again after `Retry-After` seconds.',
};

export const waitedTooLong = {
  status: 503,
  message: 'The request waited too long, and nothing was done. Try again later.',
  when: 'Nobody began it within three seconds, and nobody ever will.',
  then: 'Send the same request again after `Retry-After` seconds.',
};

export const refundUnderWay = {
  status: 400,
  message: 'A refund of this order is under way. Try again when it is known what became of it.',
  when: 'A card refund of the order is not decided.',
  then: 'Wait until the attempt of `refund_attempt_id` is decided.',
};

export const orderIsOver = {
  status: 400,
  message: 'An order in state "%1" is over: it takes no more money.',
  when: 'The order is cancelled or closed.',
};

export const unknownTerminal = {
  status: 404,
  message: 'Terminal with id %1 does not exist',
  when: 'No terminal has this id.',
  then: 'Pull the terminals again.',
};

export const unknownLocation = {
  status: 404,
  message: 'Location with id %1 does not exist',
  when: 'No location has this id.',
};

export const numberIsTaken = {
  status: 400,
  message: 'Unique constraint violation found',
  when: 'Another document of its kind in the store has the `increment_id`.',
  then: 'Leave the number out: the server draws one.',
};

/** The platform's answer where a document of an order could not be saved for a fault of ours (platform facts 2.4). */
export const couldNotSave = (document: 'an invoice' | 'a Creditmemo' | 'a shipment') => ({
  status: 400,
  message: `Could not save ${document}, see error log for details`,
  when: 'Something of ours is broken. Nothing is saved, and the log has the cause with the id of the request.',
  then: 'Send the same request again, with the same `Idempotency-Key`, when the operator has mended it.',
});
