/** What customers, their accounts and the newsletter are refused with. */
import { refusal } from './refusal.ts';

export const subscriptionNotCreated = refusal(400, 'Cannot create a newsletter subscription.', {
  when: 'The e-mail belongs to an account, and `customerId` is not that account.',
  then: 'Attach the customer to the sale and send the id of the account.',
});

export const emailNotValid = refusal(400, 'Enter a valid email address.');

export const guestsCannotSubscribe = refusal(
  400,
  'Guests can not subscribe to the newsletter. You must create an account to subscribe.',
  { when: 'The e-mail has no account, and the store wants accounts only.', then: 'Offer to create an account.' },
);

export const emailRequiredToSubscribe = refusal(
  400,
  'You must specify an email address to subscribe to a newsletter.',
  { when: 'The e-mail is empty.' },
);

export const valueOfFieldNotPossible = refusal(400, 'The value of "%fieldName" cannot be.');

export const confirmationNotNeeded = refusal(400, "Confirmation isn't needed.", { when: 'The account is active.' });

export const customerExistsInStore = refusal(400, 'This customer already exists in this store.', {
  when: 'The body has the id of an account that exists.',
});

export const customerEmailMissing = refusal(400, 'The customer email is missing. Enter and try again.', {
  when: 'The query names another customer, and no e-mail is sent.',
});

export const passwordNotMatching = refusal(
  401,
  "The password doesn't match this account. Verify the password and try again.",
  { when: 'The present password is another, or six guesses locked it.' },
);

export const templateNotKnown = refusal(
  400,
  'Invalid value of "%value" provided for the %fieldName field. Possible values: %template1 or %template2.',
  { when: 'The template is neither `email_reminder` nor `email_reset`.' },
);

export const tooManyPasswordResets = refusal(
  400,
  'Too many password reset requests. Please wait and try again or contact %1.',
  { when: 'Ten e-mails without an account were tried from there within an hour.' },
);

export const accountAlreadyActive = refusal(400, 'The account is already active.', { when: 'It waits for nothing.' });

export const confirmationTokenNotValid = refusal(
  400,
  'The confirmation token is invalid. Verify the token and try again.',
  { when: 'The key is not the one that was mailed.' },
);

export const customerGroupExists = refusal(400, 'Customer Group already exists.', {
  when: 'Another group has the code, in any case of letters.',
});

export const noSuchCustomerGroup = refusal(400, 'The specified customer group id does not exist.', {
  when: 'No group has this id.',
});

export const groupNotDeletable = refusal(400, 'Cannot delete group.');

export const customerHasCredit = refusal(400, 'The customer has store credit or points and cannot be deleted.', {
  when: 'A wallet or an account of points was ever used: its books stay.',
});

export const passwordTokenExpired = refusal(400, 'The password token is expired. Reset and try again.', {
  when: 'The token is older than two hours.',
  then: 'Ask for a new one.',
});

export const passwordTokenMismatched = refusal(400, 'The password token is mismatched. Reset and try again.', {
  when: 'The token was made up, replaced or used, or is that of another account.',
  then: 'Ask for a new one.',
});

export const wishlistIsFull = refusal(400, 'The wishlist is full: it takes %1 products.');
