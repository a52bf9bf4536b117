/** What an account is sent by mail, and how long it works (platform facts 8; the decision says what is our choice). */

/** The templates that a request for a new password may name; the two write the same mail. */
export const resetTemplates: readonly string[] = ['email_reminder', 'email_reset'];

/** For so many hours the token of a new password works: the platform's default. */
export const resetHours = 2;

/** Within so many minutes a repeated request sends nothing, and the token in the mail stays: the platform's default. */
export const resetAgainMinutes = 10;

/** A mail with a token is sent within so many minutes or never, so that enough of the token's time is left. */
export const resetMailMinutes = 60;

export const confirmPath = 'customer/create_account/confirm';

export const accountDefaults = {
  /** Whether new accounts must confirm their e-mail: off, as on the platform. */
  [confirmPath]: '0',
} as const;

/** The answers about an account's confirmation. */
export const confirmationStatuses = [
  'account_confirmed',
  'account_confirmation_required',
  'account_confirmation_not_required',
] as const;
export type ConfirmationStatus = (typeof confirmationStatuses)[number];

/** An account that waits for its e-mail is still asked where the shop has stopped asking others. */
export function confirmationStatus(given: { isAwaiting: boolean; isAsked: boolean }): ConfirmationStatus {
  if (given.isAwaiting) return 'account_confirmation_required';
  return given.isAsked ? 'account_confirmed' : 'account_confirmation_not_required';
}
