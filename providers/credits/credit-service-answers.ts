import { z } from 'zod';
import { type Amount, parseAmount } from '../../domain/money.ts';
import type { JsonAnswer } from '../post-json.ts';
import type { CreditGiftFinding, CreditSpendFinding, CreditUndoFinding } from './credit-provider.ts';

/** Checks the credit service's answers. */

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
export interface AskedMovement {
  key: string;
  amount: Amount;
  currency: string;
}

/** Only the documented yes to exactly this gift counts as a yes; only a documented no as a no. */
export const giftFinding = (answer: JsonAnswer, request: AskedMovement): CreditGiftFinding =>
  yesTo(answer, 'credited', request) ?? noTo(answer, refusalsOfGifts);

/** As for a gift. */
export const spendFinding = (answer: JsonAnswer, request: AskedMovement): CreditSpendFinding =>
  yesTo(answer, 'spent', request) ?? noTo(answer, refusalsOfSpendings);

export function undoFinding(answer: JsonAnswer, { key }: Pick<AskedMovement, 'key'>): CreditUndoFinding {
  const yes = 'failure' in answer || answer.status !== 200 ? undefined : undone.safeParse(answer.body);
  return yes?.data?.key === key ? { outcome: 'undone' } : noTo(answer, refusalsOfGifts);
}

function yesTo<Status extends 'credited' | 'spent'>(answer: JsonAnswer, status: Status, request: AskedMovement) {
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
