import { zero } from '../../domain/money/amount.ts';
import { money } from './schemas.ts';

/**
 * The three adjustments of a refund (spec 4.8, platform facts 7.1), all ex tax. The point of sale uses the order's
 * currency, the platform's own refunds the base currency. In an order with one currency they look the same, so every
 * schema states its currency.
 */
const adjustmentsIn = (currency: string) => ({
  adjustmentPositive: money.default(zero).meta({ description: `Goodwill that is added, ex tax, in ${currency}` }),
  adjustmentNegative: money.default(zero).meta({ description: `A fee that is taken off, ex tax, in ${currency}` }),
  shippingAmount: money.optional().meta({ description: `Shipping that comes back, ex tax, in ${currency}` }),
});

/** For a settle and a preview. */
export const adjustmentsInOrderCurrency = adjustmentsIn("the order's currency");
/** For the platform's refunds of an order and of an invoice. */
export const adjustmentsInBaseCurrency = adjustmentsIn('the base currency');
