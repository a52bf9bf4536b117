/** What routes of several features are refused with, for their outcomes. */

/** 404 of the platform for whatever is not there (platform facts 2.3). */
export const unknownEntity = (when: string) => ({
  status: 404,
  message: 'No such entity with %fieldName = %fieldValue',
  when,
});

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

export const stillGoing = {
  status: 504,
  message: 'The work is still going on. Read the record again in a moment.',
  when: 'It takes longer than a request may: it may be done, or not.',
  then: 'Read the record, or send the same request again.',
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
