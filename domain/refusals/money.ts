/** What credit, gift cards, layaways and refunds are refused with. */
import { refusal } from './refusal.ts';

export const noProviderForType = refusal(400, 'No provider is installed for credit type %1.');

export const noGiftCardWithCode = refusal(404, 'Gift card with code %1 not found.', {
  when: 'The code is unknown, no provider has gift cards, or none could be reached.',
});

export const finerThanCoin = refusal(400, 'The amount %1 cannot be booked: %2 has %3 decimals.', {
  when: 'An amount is finer than the smallest coin of its currency.',
  then: 'Send the amount that was taken or given, in coins.',
});

export const amountNotPositive = refusal(400, 'The amount must be greater than zero.', {
  when: 'The amount is zero or below.',
});

export const orderOfAnotherCustomer = refusal(400, 'The order belongs to another customer than %1.', {
  when: '`customerId` is not the order’s.',
});

export const creditHeldOutside = refusal(
  400,
  'Store credit is kept by "%1" here: refund the goods first, then give the credit.',
  {
    when: 'Resolution `store_credit`, and another provider keeps store credit.',
    then: 'Settle the return, then call `POST /V1/pos/credits/refund`.',
  },
);

export const refundAttemptNotFound = refusal(404, 'Refund attempt with id %1 does not exist', {
  when: 'No attempt has this id.',
});

export const noStoreCreditToApply = refusal(400, 'There is no store credit to apply.', {
  when: 'The wallet is empty.',
});

export const walletOfOtherWebsite = refusal(
  400,
  'The account of customer %1 belongs to website %2 and has no store credit on website %3.',
  { when: 'Accounts are not shared between websites.', then: 'Name the website of the second parameter.' },
);

export const feePercentOutOfRange = refusal(400, 'Layaway cancellation fee percent must be between 0 and 100', {
  when: 'The fee is outside these bounds.',
});

export const captureNotPositive = refusal(400, 'Layaway capture amount must be positive', {
  when: 'The amount is zero or below.',
});

export const layawayCancelled = refusal(400, 'The layaway is already cancelled.');

export const layawayPaidInFull = refusal(400, 'The layaway is already paid in full.', {
  when: 'Its goods are the customer’s.',
  then: 'Take them back as a return.',
});

export const orderIsNoLayaway = refusal(400, 'The order is not a layaway.', {
  when: 'The order was sold in one payment.',
});

export const duePaymentNotPositive = refusal(400, 'Credit due payment amount must be positive', {
  when: 'The amount is zero or below.',
});

export const amountAboveCreditDue = refusal(400, 'The amount %1 exceeds the remaining credit due of %2.', {
  when: 'More than is due.',
  then: 'Offer the second parameter.',
});

export const refundUnderWay = refusal(
  400,
  'A refund of this order is under way. Try again when it is known what became of it.',
  {
    when: 'A card refund of the order is not decided.',
    then: 'Wait until the attempt of `refund_attempt_id` is decided.',
  },
);

export const adjustmentReasonRequired = refusal(400, 'A reason is required for every adjustment.', {
  when: 'The reason is missing or blank.',
});

export const balanceCurrencyMismatch = refusal(400, 'Currency mismatch: the stored balance is in %1 and not in %2.', {
  when: 'The base currency of the website was changed since.',
});

export const balanceTooHigh = refusal(400, 'The balance cannot go above %1: it is %2 and would change by %3.', {
  when: 'The wallet would hold more than can be counted.',
});

export const balanceBelowZero = refusal(400, 'The balance cannot go below zero: it is %1 and would change by %2.', {
  when: 'There is less in the wallet.',
  then: 'Take at most the first parameter.',
});

export const adjustmentIsZero = refusal(400, 'The delta of an adjustment cannot be zero.', {
  when: 'There is nothing to correct.',
});

export const providerDidNotSay = refusal(
  503,
  'The provider did not say whether it took the credit. Nothing is sold yet: send the same order again, and it is taken once. Without an order it is given back automatically.',
  { when: 'Credit that is kept outside was asked for, and the answer was lost.', then: 'Send the same order again.' },
);

export const creditMemoOffline = refusal(
  400,
  'If the invoice was created offline, try creating an offline credit memo.',
  {
    when: 'The gateway cannot tell which payment it would give back: the order kept no reference of it.',
    then: 'Give the money back another way, and refund offline.',
  },
);

export const refundNotAvailable = refusal(400, 'The refund action is not available.', {
  when: 'No gateway is set up for the payment method of the order.',
  then: 'Give the money back another way, and refund offline.',
});

export const refundDecided = refusal(
  409,
  'The refund was decided as not refunded by %resolved_by. That takes effect at %effective_at UTC.',
  {
    code: 'refund_decided',
    when: 'A person decided the opposite, which takes effect once the call to the gateway is over.',
    then: 'Read the attempt. If the money went back, ask the processor again after that time.',
  },
);

export const refundNotWrittenDown = refusal(
  503,
  'The refund could not be written down in time. Try again in a moment.',
);
