import { z } from 'zod';
import { type Amount, formatAmount, parseAmount } from '../../domain/money/amount.ts';
import { skusIn } from './built-in.ts';
import type { JsonAnswer } from '../post-json.ts';
import { callCreditService, type CreditServiceSettings } from './call-credit-service.ts';
import type { CreditBalance, CreditGiftFinding, CreditProvider, CreditQuestion } from './credit-provider.ts';

export type { CreditServiceSettings } from './call-credit-service.ts';

/** Its code in every answer and in the books. */
const code = 'credit_service';
const label = 'Credit service';

/** Beyond any balance we would show. */
const highest = 10_000_000_000;
/** Nobody has more of them; what is longer is no answer. */
const mostBalances = 100;

const amountText = z.string().transform((text, context): Amount => {
  const value = parseAmount(text);
  if (value !== undefined && value >= 0 && value / 10_000 <= highest) return value;
  context.addIssue('no amount');
  return z.NEVER;
});

const balance = z.object({
  balance: amountText,
  currency: z.string().length(3),
  code: z.string().min(1).max(255).nullish(),
  is_redeemable: z.boolean(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
});
const balances = z.object({ balances: z.array(balance).max(mostBalances) });
const card = z.object({ card: balance });
const gift = z.object({
  status: z.literal('credited'),
  key: z.string(),
  transaction_id: z.string().min(1).max(255),
  amount: amountText,
  currency: z.string().length(3),
  balance: amountText.nullish(),
});
const refusal = z.object({ code: z.string(), message: z.string().max(500) });

/** What the service documents as a no: nothing was given under this key, nor ever will be. */
const documentedRefusals = new Set(['unknown_card', 'unknown_customer', 'not_accepted', 'wrong_currency']);

type Ask = (path: string, body: Record<string, unknown>, deadline: Date) => Promise<JsonAnswer>;

/**
 * Credit kept by somebody else, over HTTP: gift cards or store credit (the protocol is our choice; the interface shows
 * none). Template for a provider of one's own: `local/credit-simulator` plays the other side.
 *
 * It may throw, hang and lie: each answer has a deadline, a size and a shape, another currency than ours is no answer, and
 * a gift of another amount or key than was asked for is `unknown`.
 */
export function createCreditService(settings: CreditServiceSettings): CreditProvider {
  const ask: Ask = (path, body, deadline) => callCreditService(settings, { path, body, deadline });
  const { kind } = settings;
  const isCards = kind === 'gift_card';

  const find = async (given: string, { scope, deadline }: CreditQuestion): Promise<CreditBalance | undefined> => {
    const body = { code: given, currency: scope.baseCurrencyCode };
    const answer = await ask('/v1/cards/find', body, deadline);
    if (isNoFrom(answer)) return undefined;
    return toBalance(kind, trusted(answer, card).card, { currency: scope.baseCurrencyCode, given });
  };
  const ofCustomer = async (customerId: number, { scope, deadline }: CreditQuestion): Promise<CreditBalance[]> => {
    const body = { customer_id: customerId, currency: scope.baseCurrencyCode };
    const answer = trusted(await ask('/v1/balances', body, deadline), balances);
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

    async spendable({ customerId, code: given, ...question }) {
      const found = await (isCards
        ? given === null
          ? undefined
          : find(given, question)
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

    async give(given, { deadline }) {
      const { key, customerId, orderId, baseAmount, baseCurrencyCode, reason } = given;
      const body = {
        key,
        customer_id: customerId,
        code: given.code,
        order_id: orderId,
        amount: formatAmount(baseAmount),
        currency: baseCurrencyCode,
        reason,
      };
      const answer = await ask('/v1/gifts', body, deadline);
      return findingOf(answer, { key, amount: baseAmount, currency: baseCurrencyCode });
    },

    pointsOfOrder: async () => undefined,
  };
}

/** Throws for everything that is not the documented answer. */
function trusted<Answer>(answer: JsonAnswer, schema: z.ZodType<Answer>): Answer {
  if ('failure' in answer) throw new Error(`The credit service ${answer.failure}.`);
  const parsed = answer.status === 200 ? schema.safeParse(answer.body) : undefined;
  if (!parsed?.success) throw new Error(`The credit service answered ${answer.status} with something nobody can read.`);
  return parsed.data;
}

function isNoFrom(answer: JsonAnswer): boolean {
  if ('failure' in answer || answer.status !== 404) return false;
  const no = refusal.safeParse(answer.body);
  return no.success && no.data.code === 'unknown_card';
}

function toBalance(
  kind: CreditServiceSettings['kind'],
  row: z.output<typeof balance>,
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

/** Only the documented yes to just this gift is one; only a documented no is a no. */
function findingOf(answer: JsonAnswer, asked: { key: string; amount: Amount; currency: string }): CreditGiftFinding {
  if ('failure' in answer) return { outcome: 'unknown', message: `The credit service ${answer.failure}.` };
  const yes = answer.status === 200 ? gift.safeParse(answer.body) : undefined;
  const said = yes?.data;
  if (said && said.key === asked.key && said.amount === asked.amount && said.currency === asked.currency)
    return { outcome: 'credited', transactionId: said.transaction_id, remainingBalance: said.balance ?? null };
  const no = answer.status >= 400 && answer.status < 500 ? refusal.safeParse(answer.body) : undefined;
  if (no?.success && documentedRefusals.has(no.data.code)) return { outcome: 'refused', message: no.data.message };
  return { outcome: 'unknown', message: 'The credit service answered with something nobody can read.' };
}
