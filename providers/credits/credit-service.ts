import { formatAmount } from '../../domain/money.ts';
import {
  skusIn,
  type CreditBalance,
  type CreditProvider,
  type CreditQuestion,
  type OutsideSpending,
} from './credit-provider.ts';
import type { JsonAnswer } from '../post-json.ts';
import { callCreditService, type CreditServiceSettings } from './call-credit-service.ts';
import {
  balancesAnswered,
  cardAnswered,
  giftFinding,
  isNoSuchCard,
  spendFinding,
  trusted,
  undoFinding,
  type BalanceAnswered,
} from './credit-service-answers.ts';

export type { CreditServiceSettings } from './call-credit-service.ts';

/** The provider's code in answers and in the books. */
const code = 'credit_service';
const label = 'Credit service';

type Ask = (path: string, body: Record<string, unknown>, deadline: Date) => Promise<JsonAnswer>;

/**
 * Credit kept by an outside service, over HTTP: gift cards or store credit (the protocol is our choice; the interface
 * has none). A template for your own provider: `local/simulators/credit.ts` is the other side.
 *
 * The service may fail, hang or answer wrongly. So each answer has a deadline, a maximum size and a schema, and must
 * be in our currency. A gift or spending with another amount or key than asked for is `unknown`.
 */
export function createCreditService(settings: CreditServiceSettings): CreditProvider {
  const ask: Ask = (path, body, deadline) => callCreditService(settings, { path, body, deadline });
  const { kind } = settings;
  const isCards = kind === 'gift_card';

  const find = async (input: string, { scope, deadline }: CreditQuestion): Promise<CreditBalance | undefined> => {
    const body = { code: input, currency: scope.baseCurrencyCode };
    const answer = await ask('/v1/cards/find', body, deadline);
    if (isNoSuchCard(answer)) return undefined;
    return toBalance(kind, trusted(answer, cardAnswered).card, { currency: scope.baseCurrencyCode, given: input });
  };
  const ofCustomer = async (customerId: number, { scope, deadline }: CreditQuestion): Promise<CreditBalance[]> => {
    const body = { customer_id: customerId, currency: scope.baseCurrencyCode };
    const answer = trusted(await ask('/v1/balances', body, deadline), balancesAnswered);
    return answer.balances.map((row) => toBalance(kind, row, { currency: scope.baseCurrencyCode, given: null }));
  };

  return {
    code,
    kind,
    label,
    isEnabled: () => true,
    takesRefunds: () => false,
    balances: async (question) => (isCards ? [] : ofCustomer(question.customerId, question)),
    findCard: async (question) => (isCards ? find(question.code, question) : undefined),

    async spendable({ customerId, code: posted, ...question }) {
      const found = await (isCards
        ? posted === null
          ? undefined
          : find(posted, question)
        : customerId === null
          ? undefined
          : ofCustomer(customerId, question).then(([first]) => first));
      if (found === undefined || found.money === null) return undefined;
      const { settings: terms } = question.scope;
      return {
        kind,
        providerCode: code,
        code: found.code,
        balance: found.money,
        points: null,
        appliesAs: 'tender',
        includesTax: terms.flag(`vendor_pos_terminal/credits/${kind}_includes_tax`),
        excludedSkus: skusIn(terms.text('vendor_pos_terminal/credits/excluded_skus')),
        whyNot: found.isRedeemable ? null : 'The provider does not let it be spent.',
      };
    },

    async give(values, { deadline }) {
      const { key, customerId, orderId, baseAmount, baseCurrencyCode, reason } = values;
      const body = {
        key,
        customer_id: customerId,
        code: values.code,
        order_id: orderId,
        amount: formatAmount(baseAmount),
        currency: baseCurrencyCode,
        reason,
      };
      const answer = await ask('/v1/gifts', body, deadline);
      return giftFinding(answer, { key, amount: baseAmount, currency: baseCurrencyCode });
    },

    outside: {
      async spend(spending, { deadline }) {
        const answer = await ask('/v1/spendings', bodyOf(spending), deadline);
        const { key, baseAmount: amount, baseCurrencyCode: currency } = spending;
        return spendFinding(answer, { key, amount, currency });
      },
      undo: async (spending, { deadline }) =>
        undoFinding(await ask('/v1/spendings/undo', bodyOf(spending), deadline), spending),
    },

    pointsOfOrder: async () => undefined,
  };
}

const bodyOf = ({ key, customerId, code: card, baseAmount, baseCurrencyCode, reason }: OutsideSpending) => ({
  key,
  customer_id: customerId,
  code: card,
  amount: formatAmount(baseAmount),
  currency: baseCurrencyCode,
  reason,
});

function toBalance(
  kind: CreditServiceSettings['kind'],
  row: BalanceAnswered,
  { currency, given }: { currency: string; given: string | null },
): CreditBalance {
  if (row.currency !== currency)
    throw new Error('The credit service answered in another currency than it was asked in.');
  return {
    kind,
    providerCode: code,
    label,
    money: row.balance,
    points: null,
    currencyCode: row.currency,
    code: kind === 'gift_card' ? (given ?? row.code ?? null) : null,
    isRedeemable: row.is_redeemable && row.balance > 0,
    currencyValue: null,
    pointsPerCurrency: null,
    expiresAt: row.expires_at ? new Date(row.expires_at) : null,
    details: null,
  };
}
