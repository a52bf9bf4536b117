import fc from 'fast-check';
import { type AppliedCredit } from '../../../domain/credits/applied-credit.ts';
import { amount, money, zero, type Amount } from '../../../domain/money.ts';

let made = 0;
export const aCredit = (value: string | Amount, over: Partial<AppliedCredit> = {}): AppliedCredit => {
  const own = typeof value === 'string' ? money(value) : value;
  return {
    creditId: ++made,
    kind: 'store_credit',
    providerCode: 'store_credit',
    appliesAs: 'tender',
    code: null,
    baseAmount: own,
    amount: own,
    points: null,
    baseReturned: zero,
    amountReturned: zero,
    pointsReturned: 0,
    ...over,
  };
};

export const both = (value: string) => ({ base: money(value), order: money(value) });

export const cents = (min: number, max: number) => fc.integer({ min, max }).map((value) => amount(value * 100));
