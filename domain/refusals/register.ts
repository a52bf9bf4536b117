/** What a register is refused with: terminals, staff, locations, held carts, receipts, one-time codes, endpoints. */
import { refusal } from './refusal.ts';

export const codeNotSent = refusal(400, 'The code could not be sent. Please try again later.', {
  when: 'The shop has no mail server, or it does not answer.',
  then: 'Offer the checkout without sign-in.',
});

export const terminalIsDisabled = refusal(400, 'The terminal is disabled.');

export const tooManyCodes = refusal(400, 'Too many codes were requested. Please try again later.', {
  when: 'A code was asked for moments ago, or too often within the hour with this e-mail or at this terminal.',
  then: 'Let the customer use the code that came, or wait for the cooldown. The code that came stays good.',
});

export const codeNotValid = refusal(401, 'The code is invalid or has expired.', {
  when: 'The code is wrong, too old, used already, or was guessed at too often; or the e-mail has no account.',
  then: 'Let the customer try again a few times, then ask for a new code.',
});

export const noCodeRequested = refusal(404, 'No code was requested with this e-mail at this terminal.', {
  when: 'No code was requested for this e-mail, or it was requested at another terminal.',
  then: 'Ask for a code here.',
});

export const receiptMailFailed = refusal(400, 'Failed to send receipt email: %1', {
  when: 'The address is not one address, the shop has no mail server, or the mail server did not say yes.',
  then: 'Correct the address, or show the code and let the customer open the page.',
});

export const activeLicenseRequired = refusal(401, 'An active PRO license of the terminal is required.', {
  when: 'The terminal of `terminal_id` has no active PRO license.',
  then: 'Keep the receipt. Refresh the license, then send the same request.',
});

export const credentialsNotValid = refusal(401, 'Invalid credentials.', {
  when: 'The e-mail or the passcode is wrong, or the person is not active. The message is the same.',
  then: 'Let the cashier try again.',
});

export const tooManyFailedAttempts = refusal(401, 'Too many failed attempts. Please try again in %1 seconds.', {
  when: 'The e-mail has to wait, or too many wrong passcodes came from this terminal or address.',
  then: 'Wait so many seconds, then ask for the passcode. A manager can end the wait.',
});

export const deviceMismatch = refusal(401, 'Device identifier mismatch.', {
  when: 'The terminal is bound to another device, or to none.',
  then: 'Activate this device again.',
});

export const terminalNotSaved = refusal(400, 'Could not save the terminal: %1', {
  when:
    'The name is missing, the location or license does not exist, or a key of `config_overrides` is no setting. ' +
    'The parameter says which.',
  then: 'Correct what the parameter names.',
});

export const activationCodeFormat = refusal(400, 'Invalid activation code format.', {
  when: 'The code is not 4 to 12 letters and digits.',
  then: 'Let the person type it again.',
});

export const deviceFormatNotValid = refusal(400, 'Invalid device identifier format.');

export const licenseNotValid = refusal(400, 'License validation failed: %1', {
  when: 'The license service refused this device; the parameter has its words.',
  then: 'Show the words. The code stays good.',
});

export const tooManyActivations = refusal(400, 'Too many activation attempts. Please try again later.', {
  when: 'Ten wrong codes of this device, or sixty of this token or address, within ten minutes.',
  then: 'Wait ten minutes.',
});

export const tooManyEndpoints = refusal(400, 'There may be %1 endpoints. Delete one first.');

export const tooManyRotations = refusal(
  400,
  'At most %1 former secrets sign at once. Rotate again when one has expired.',
  {
    when: 'The secret was rotated that often within a day.',
  },
);

export const endpointNotFound = refusal(404, 'Endpoint with id %1 does not exist', {
  when: 'No endpoint has this id.',
});

export const heldCartNotSaved = refusal(400, 'Could not save the held cart: %1', {
  when: 'The location, or what else the cart names, does not exist.',
});

export const heldCartRecalled = refusal(400, 'The held cart was already recalled by %1 at %2.', {
  when: 'Another register has it; the parameters say who, and since when.',
  then: 'Show the sentence. Read the list again.',
});

export const heldCartNotFound = refusal(404, 'Held cart with id %1 does not exist');

export const locationNotDeleted = refusal(400, 'Could not delete the location: %1', {
  when: 'Carts are parked there, or returns are open there. The sentence counts them, and its terminals and staff.',
  then: 'Recall or delete the carts, settle or close the returns, then ask again.',
});

export const noLocationWithCode = refusal(404, 'Location with code %1 does not exist', {
  when: 'No location has this code.',
});

export const locationNotFound = refusal(404, 'Location with id %1 does not exist');

export const locationNotSaved = refusal(400, 'Could not save the location: %1', {
  when:
    'A field is wrong; the parameter names it. The name or the code is missing or taken. A website, store view, ' +
    'source or country does not exist. A number is out of its limits. A key of `config_overrides` is no setting.',
  then: 'Correct what the parameter names.',
});

export const receiptNotFound = refusal(404, 'The POS receipt with id %1 does not exist.', {
  when: 'No receipt has this id.',
});

export const noReceiptWithToken = refusal(404, 'The POS receipt with this token does not exist.', {
  when: 'No receipt has the token; a receipt’s token may have been replaced by a later sync.',
  then: 'Sync the receipt first, then send this again.',
});

export const noReceiptWithNumber = refusal(404, 'The POS receipt with increment id %1 does not exist.', {
  when: 'No receipt is linked to an order of this number.',
});

export const receiptNotSaved = refusal(400, 'Could not save the receipt: %1', {
  when: 'Something in it cannot be stored; the parameter says what, and in which field.',
  then: 'Leave that field out, then send it. A card number never belongs in it.',
});

export const noLocationHasCode = refusal(400, 'No location has the code %1.');

export const roleNotDeleted = refusal(400, 'Could not delete the role: %1', {
  when: 'Somebody has the role.',
  then: 'Give these people another role first.',
});

export const roleNotSaved = refusal(400, 'Could not save the role: %1', {
  when: 'The name is missing, or the permissions are no JSON text of known keys. The parameter says which.',
  then: 'Correct what the parameter names.',
});

export const sessionTokenNotValid = refusal(401, 'Invalid session token.', {
  when: 'No session has this token.',
  then: 'Let the cashier sign in again.',
});

export const sessionExpired = refusal(401, 'Session has expired.', {
  when: 'The session is older than 30 days.',
  then: 'Let the cashier sign in again.',
});

export const sessionStaffMissing = refusal(401, 'Staff member not found.', {
  when: 'The person was deleted or is not active any more.',
  then: 'Let another cashier sign in.',
});

export const roleNotFound = refusal(404, 'Role with id %1 does not exist', { when: 'No role has this id.' });

export const staffMemberNotFound = refusal(404, 'Staff member with id %1 does not exist', {
  when: 'Nobody has this id.',
});

export const staffMemberNotSaved = refusal(400, 'Could not save the staff member: %1', {
  when:
    'A name, the e-mail, the passcode or the role is missing or wrong, or the e-mail is taken. The parameter says ' +
    'which.',
  then: 'Correct what the parameter names.',
});

export const activationCodeUnknown = refusal(404, 'Activation code not valid.', {
  when: 'No terminal has this code, or another device has used it.',
  then: 'Ask the administrator for a new code.',
});

export const terminalNotFound = refusal(404, 'Terminal with id %1 does not exist');

export const registerReportNotFound = refusal(404, 'Register report with id %1 does not exist', {
  when: 'No report has this id.',
});

export const registerReportConflict = refusal(
  409,
  'The session "%session_id" has another report %number. Both are stored and marked.',
  {
    code: 'register_report_conflict',
    when: 'A report of this `session_id` and `number` with other content is stored already.',
    then: 'Do not send it again. A person compares both reports and annotates them; `report_id` is the first one.',
  },
);

export const registerReportNumberUnsafe = refusal(
  400,
  'The document has a whole number beyond 2^53 - 1. Send it as text.',
  { when: 'A number of `document` would be stored as another one.', then: 'Send it as text.' },
);

export const registerReportEndsFirst = refusal(400, 'closed_at must not be before opened_at.', {
  when: '`closed_at` is before `opened_at`.',
  then: 'Correct the moments of the session.',
});

export const registerReportAnnotationsFull = refusal(400, 'The report must not have more than %1 annotations.', {
  when: 'The report has a hundred annotations.',
});
