import { z } from 'zod';
import type { PaymentInformation } from '../../../db/platform/carts/set-payment.ts';
import { eachOf } from '../../wire/each-of.ts';
import { payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';

/** How a cart is to be paid; what offline methods have no use for is read over, and never kept. */
export const paymentMethodPayload = payload({
  method: text(128),
  poNumber: text(255).optional(),
  ...eachOf(['additionalData', 'extensionAttributes'], z.unknown().optional()),
}).meta({ id: 'CartPayment' });

/** What the routes that pay a cart take. The cart and the e-mail are the customer's, whatever is sent. */
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
