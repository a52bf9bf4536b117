import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { amount, quantity } from '../../domain/money.ts';
import type { RatedCurrencies, CreditMemoRequest } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import { memoRequest } from '../../domain/refunds/quote-refund.ts';
import type { AttemptRow } from './refund-attempt.repository.ts';
import type { RefundPlan } from './refund-attempt.entity.ts';

/** What an attempt's memo will book, from the plan stored before the gateway call. */
export const plannedMemo = (plan: RefundPlan, rated: RatedCurrencies): CreditMemoRequest =>
  memoRequest(
    plan.items.map(({ orderItemId, qty }) => ({ orderItemId, qty: quantity(qty) })),
    {
      adjustmentPositive: amount(plan.adjustmentPositive),
      adjustmentNegative: amount(plan.adjustmentNegative),
      shippingAmount: plan.shippingAmount === null ? null : amount(plan.shippingAmount),
      notifyCustomer: plan.notifyCustomer,
    },
    rated,
  );

/** The credit legs reserved for it. */
export const plannedLegs = ({ plan }: AttemptRow): readonly CreditLeg[] => plan.legs ?? [];
