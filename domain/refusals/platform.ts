/** What any route is refused with: access, lists, values, rooms that are away. */
import { invalid, noSuchDocument, PosError, type InputError } from '../errors.ts';
import { refusal } from './refusal.ts';

export const noSuchBulk = refusal(404, 'Bulk uuid %bulkUuid not exist', { when: 'No bulk has this UUID.' });

export const tooManyItems = refusal(400, 'Maximum items of type "%type" is %max');

export const tooManyOperations = refusal(400, 'A bulk has at most %1 operations; send the others in another.', {
  when: 'An argument is wrong, or a bulk has no operation or more than 50,000.',
});

export const decodingError = refusal(400, 'Decoding error.');

export const noSuchRoute = refusal(404, 'Request does not match any route.', {
  when: 'No route that writes has this path.',
});

export const waitedTooLong = refusal(503, 'The request waited too long, and nothing was done. Try again later.', {
  when: 'Nobody began it within three seconds, and nobody ever will.',
  then: 'Send the same request again after `Retry-After` seconds.',
});

export const mayStillBeCarriedOut = refusal(
  503,
  'No answer came in time, and the request may still be carried out. Repeat it with the same Idempotency-Key, and it is carried out once.',
  {
    when: 'The database, or another part of the service, has not answered within eight seconds.',
    then: 'Send the same request again, with the same `Idempotency-Key`, after `Retry-After` seconds.',
  },
);

export const databaseLostMeanwhile = refusal(
  503,
  'The database cannot be reached. The request may still be carried out. Repeat it with the same Idempotency-Key, and it is carried out once.',
  {
    when: 'The database went away while the request was carried out.',
    then: 'Send the same request again, with the same `Idempotency-Key`, after `Retry-After` seconds.',
  },
);

export const diskIsFull = refusal(
  503,
  'The disk of the database is full, and nothing was written. Free disk space, then send the request again.',
  { when: 'PostgreSQL has no disk space left.', then: 'Call the operator: only more space helps.' },
);

export const requestNotProcessable = refusal(400, 'Specified request cannot be processed.');

export const morePermissionsNeeded = refusal(401, 'More permissions are needed to access this.', {
  when: 'The administrator has no role.',
});

export const signInIncorrect = refusal(
  401,
  'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
);

export const accountNotConfirmed = refusal(401, "This account isn't confirmed. Verify and try again.", {
  when: 'The password is right, but the e-mail of the account is not confirmed.',
  then: 'Let the customer open the link of the mail.',
});

export const tooManySignIns = refusal(503, 'Too many sign-ins at once. Please try again later.');

export const countryNotAvailable = refusal(404, "The country isn't available.", { when: 'There is no such country.' });

export const noSuchEntityOfTwo = refusal(
  404,
  'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value',
);

export const severalInputErrors = refusal(400, 'One or more input exceptions have occurred.');

export const valueBelowMinimum = refusal(
  400,
  'The %fieldName value of "%value" must be greater than or equal to %minValue.',
  { when: 'An amount is below zero. Only `discount_amount` of the whole memo is.' },
);

export const fieldNotKnown = refusal(400, 'The "%fieldName" field is not known here. Correct its name and try again.', {
  when: 'The order, a line, an address or the payment has a key that the platform does not know.',
});

export const valueTooLong = refusal(400, 'The %fieldName value must not be longer than %maxLength characters.', {
  when: 'A value is longer than 65,535 characters.',
});

export const noSuchRecord = refusal(404, 'No such entity.', {
  when: 'The product has no option of this id, or the option no value of one.',
});

export const pageTooLarge = refusal(400, 'Maximum SearchCriteria pageSize is %max');

export const listTooLong = refusal(
  503,
  'The list took too long. Ask for less of it by a filter, or sort it by another field.',
  {
    when: 'A sort or a filter without an index reads more than the database may read in the time of a statement.',
    then: 'Filter by a field that has an index; the interface names the quick sorts.',
  },
);

export const alreadyExists = refusal(400, '%1 already exists.', {
  when: 'Another one has the code, in any case of letters.',
});

export const attributeNameNotValid = refusal(400, 'Invalid attribute name: %1', {
  when: 'A filter names a field that cannot be searched.',
});

export const idRequired = refusal(400, 'An ID is needed. Set the ID and try again.', { when: 'The id is 0.' });

export const valueAboveMaximum = refusal(
  400,
  'The %fieldName value of "%value" must be less than or equal to %maxValue.',
  { when: 'A part of the memo, such as a tax or a row, is more than is left of it.' },
);

export const workflowsAway = refusal(503, 'The workflow service cannot be reached. Try again in a moment.', {
  when: 'The service that does the work cannot be reached or is busy.',
  then: 'Send the same request again after `Retry-After` seconds.',
});

/** Several input errors at once; a single one is answered on its own (platform facts 2.2). */
export function invalidInput(errors: readonly InputError[]): PosError {
  const [only] = errors;
  if (errors.length === 1 && only) return invalid(only.message, only.parameters);
  return new PosError({ ...severalInputErrors().refusal, errors });
}

/** As `noSuchDocument`, for an order; the id 0 counts as missing, which is 400 (platform facts 2.4). */
export const noSuchOrder = (orderId: number) => (orderId === 0 ? idRequired() : noSuchDocument());
