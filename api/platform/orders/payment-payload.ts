import { z } from 'zod';
import { paymentMoney, paymentTexts } from '../../../db/platform/orders/order-payment.entity.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { eachOf } from '../../wire/each-of.ts';
import { payload, storedMoney, text } from '../../wire/schemas.ts';
import { without } from '../../wire/without.ts';

/** More values than any gateway sends. */
const maxInformation = 200;

/** A list is stored under its positions, as on the platform; a nested value as JSON. */
const additionalInformation = z
  .union([z.array(z.unknown()).max(maxInformation), z.record(z.string(), z.unknown())])
  .transform((given) => Object.fromEntries(Object.entries(given)));

/** Unused columns of the platform's payment are ignored; card data must not be stored (platform facts 5.2). */
const readOver = [
  'entityId',
  'parentId',
  'quotePaymentId',
  'additionalData',
  'addressStatus',
  'baseAmountPaidOnline',
  'baseAmountRefundedOnline',
  'ccApproval',
  'ccAvsStatus',
  'ccCidStatus',
  'ccExpMonth',
  'ccExpYear',
  'ccSsStartMonth',
  'ccSsStartYear',
  'ccStatus',
  'ccStatusDescription',
  'ccDebugRequestBody',
  'ccDebugResponseBody',
  'ccDebugResponseSerialized',
  'ccNumberEnc',
  'ccSecureVerify',
  'ccSsIssue',
  'anetTransMethod',
  'echeckAccountName',
  'echeckAccountType',
  'echeckBankName',
  'echeckRoutingNumber',
  'echeckType',
  'protectionEligibility',
  'extensionAttributes',
] as const;

/** An order's payment that a caller sends. */
export const paymentPayload = payload({
  method: text(128).optional(),
  ...eachOf([...paymentMoney, ...basePrefixed(...paymentMoney)], storedMoney.optional()),
  ...eachOf(paymentTexts, text(255).optional()),
  additionalInformation: additionalInformation.optional(),
  ...eachOf(readOver, z.unknown().optional()),
})
  .transform((given) => without(given, readOver))
  .meta({ id: 'OrderPayment' });
