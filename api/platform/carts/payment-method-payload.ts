import { z } from 'zod';
import type { PaymentInformation } from '../../../db/platform/carts/set-payment.ts';
import { eachOf } from '../../wire/each-of.ts';
import { payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';

/** The payment method of a cart; fields that offline methods do not use are ignored and never stored. */
export const paymentMethodPayload = payload({
  method: text(128),
  poNumber: text(255).optional(),
  ...eachOf(['additionalData', 'extensionAttributes'], z.unknown().optional()),
});

/** The arguments of the routes that pay a cart. Cart and e-mail are always the customer's own. */
export const paymentInformation = {
  paymentMethod: paymentMethodPayload,
  billingAddress: cartAddressPayload.optional(),
};

interface GivenPayment {
  paymentMethod?: z.output<typeof paymentMethodPayload> | undefined;
  billingAddress?: z.output<typeof cartAddressPayload> | undefined;
}

export const toPaymentInformation = ({ paymentMethod, billingAddress }: GivenPayment): PaymentInformation => ({
  payment: paymentMethod && { method: paymentMethod.method, poNumber: paymentMethod.poNumber },
  billingAddress: billingAddress && toCartAddress(billingAddress),
});
