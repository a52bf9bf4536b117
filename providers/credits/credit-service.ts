import { z } from 'zod';
import { formatAmount, type Amount, parseAmount } from '../../domain/money.ts';
import {
  skusIn,
  type CreditBalance,
  type CreditProvider,
  type CreditQuestion,
  type OutsideSpending,
  type CreditGiftFinding,
  type CreditSpendFinding,
  type CreditUndoFinding,
} from './credit-provider.ts';
import { postJson, type JsonAnswer } from '../post-json.ts';

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

export interface CreditServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
  /** The kind of credit that it keeps. */
  kind: 'gift_card' | 'store_credit';
}

/** The longest answer that is read. */
const longestAnswer = 64 * 1024;

/** One call to the service, which ends by its deadline. Never throws. */
export const callCreditService = (
  { baseUrl, apiKey }: CreditServiceSettings,
  { path, body, deadline }: { path: string; body: Record<string, unknown>; deadline: Date },
): Promise<JsonAnswer> =>
  postJson({ baseUrl, path, apiKey, body, timeoutMs: deadline.getTime() - Date.now(), longestAnswer });

/** The highest balance shown. */
const highest = 10_000_000_000;

/** The most balances of one answer; a longer list is refused. */
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

export type BalanceAnswered = z.output<typeof balance>;

export const balancesAnswered = z.object({ balances: z.array(balance).max(mostBalances) });

export const cardAnswered = z.object({ card: balance });

const moved = z.object({
  status: z.enum(['credited', 'spent']),
  key: z.string(),
  transaction_id: z.string().min(1).max(255),
  amount: amountText,
  currency: z.string().length(3),
  balance: amountText.nullish(),
});

const undone = z.object({ status: z.literal('undone'), key: z.string() });

const refusal = z.object({ code: z.string(), message: z.string().max(500) });

/** The documented refusals: nothing was moved under this key, nor ever will be. */
const refusalsOfGifts = new Set(['unknown_card', 'unknown_customer', 'not_accepted', 'wrong_currency']);

const refusalsOfSpendings = new Set([...refusalsOfGifts, 'insufficient_balance', 'undone']);

const unreadable = 'The credit service answered with something unreadable.';

/** Throws for any answer that is not documented. */
export function trusted<Answer>(answer: JsonAnswer, schema: z.ZodType<Answer>): Answer {
  if ('failure' in answer) throw new Error(`The credit service ${answer.failure}.`);
  const parsed = answer.status === 200 ? schema.safeParse(answer.body) : undefined;
  if (!parsed?.success) throw new Error(`The credit service answered ${answer.status} with something unreadable.`);
  return parsed.data;
}

export function isNoSuchCard(answer: JsonAnswer): boolean {
  if ('failure' in answer || answer.status !== 404) return false;
  const no = refusal.safeParse(answer.body);
  return no.success && no.data.code === 'unknown_card';
}

/** The movement asked for; a yes must repeat it. */
export interface RequestedMovement {
  key: string;
  amount: Amount;
  currency: string;
}

/** Only the documented yes to exactly this gift counts as a yes; only a documented no as a no. */
export const giftFinding = (answer: JsonAnswer, request: RequestedMovement): CreditGiftFinding =>
  yesTo(answer, 'credited', request) ?? noTo(answer, refusalsOfGifts);

/** As for a gift. */
export const spendFinding = (answer: JsonAnswer, request: RequestedMovement): CreditSpendFinding =>
  yesTo(answer, 'spent', request) ?? noTo(answer, refusalsOfSpendings);

export function undoFinding(answer: JsonAnswer, { key }: Pick<RequestedMovement, 'key'>): CreditUndoFinding {
  const yes = 'failure' in answer || answer.status !== 200 ? undefined : undone.safeParse(answer.body);
  return yes?.data?.key === key ? { outcome: 'undone' } : noTo(answer, refusalsOfGifts);
}

function yesTo<Status extends 'credited' | 'spent'>(answer: JsonAnswer, status: Status, request: RequestedMovement) {
  if ('failure' in answer || answer.status !== 200) return undefined;
  const parsed = moved.safeParse(answer.body).data;
  const isIt =
    parsed?.status === status &&
    parsed.key === request.key &&
    parsed.amount === request.amount &&
    parsed.currency === request.currency;
  if (!isIt) return undefined;
  return { outcome: status, transactionId: parsed.transaction_id, remainingBalance: parsed.balance ?? null };
}

function noTo(answer: JsonAnswer, documented: ReadonlySet<string>) {
  if ('failure' in answer) return { outcome: 'unknown' as const, message: `The credit service ${answer.failure}.` };
  const no = answer.status >= 400 && answer.status < 500 ? refusal.safeParse(answer.body) : undefined;
  if (no?.success && documented.has(no.data.code)) return { outcome: 'refused' as const, message: no.data.message };
  return { outcome: 'unknown' as const, message: unreadable };
}
