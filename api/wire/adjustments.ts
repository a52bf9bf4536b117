import { zero } from '../../domain/money/amount.ts';
import { money } from './schemas.ts';

/**
 * The three figures a caller may give a refund (spec 4.8, platform facts 7.1), all ex tax. The point of sale speaks the
 * order's currency, as its customers do; the platform's own refunds speak the base currency, as the platform does. In an
 * order whose two currencies are the same nothing tells them apart, so every schema says which it is.
 */
const adjustmentsIn = (currency: string) => ({
  adjustmentPositive: money.default(zero).meta({ description: `Goodwill that is added, ex tax, in ${currency}` }),
  adjustmentNegative: money.default(zero).meta({ description: `A fee that is taken off, ex tax, in ${currency}` }),
  shippingAmount: money.optional().meta({ description: `Shipping that comes back, ex tax, in ${currency}` }),
});

/** Of a settle and of a preview. */
export const adjustmentsInOrderCurrency = adjustmentsIn("the order's currency");
/** Of the platform's refunds of an order and of an invoice. */
export const adjustmentsInBaseCurrency = adjustmentsIn('the base currency');
