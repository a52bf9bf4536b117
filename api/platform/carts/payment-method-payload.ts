import { z } from 'zod';
import type { PaymentInformation } from '../../../db/platform/carts/set-payment.ts';
import { invalid } from '../../../domain/errors.ts';
import { isEmailAddress } from '../../../domain/platform/customers/customer-errors.ts';
import { eachOf } from '../../wire/each-of.ts';
import { payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import type { CartDoor } from './cart-door.ts';

/** The payment method of a cart; fields that offline methods do not use are ignored and never stored. */
export const paymentMethodPayload = payload({
  method: text(128),
  poNumber: text(255).optional(),
  ...eachOf(['additionalData', 'extensionAttributes'], z.unknown().optional()),
}).meta({ id: 'CartPayment' });

/** What the routes that pay a cart take. A guest says an e-mail; a customer's is the account's, whatever is sent. */
export const paymentInformationOf = ({ kind }: Pick<CartDoor, 'kind'>) =>
  z.object({
    email: kind === 'GuestCart' ? text(255) : text(255).optional(),
    paymentMethod: paymentMethodPayload,
    billingAddress: cartAddressPayload.optional(),
  });

interface GivenPayment {
  email?: string | undefined;
  paymentMethod?: z.output<typeof paymentMethodPayload> | undefined;
  billingAddress?: z.output<typeof cartAddressPayload> | undefined;
}

/** Refused with 400: an e-mail that is no address. */
export function toPaymentInformation({ email, paymentMethod, billingAddress }: GivenPayment): PaymentInformation {
  if (email !== undefined && !isEmailAddress(email)) throw invalid('Email has a wrong format');
  return {
    email,
    payment: paymentMethod && { method: paymentMethod.method, poNumber: paymentMethod.poNumber },
    billingAddress: billingAddress && toCartAddress(billingAddress),
  };
}
