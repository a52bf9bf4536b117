import { z } from 'zod';
import type { NewEntry, WalletActor } from '../../db/store-credit/add-entry.ts';
import { toWire, zero, amount, type Amount } from '../../domain/money/amount.ts';
import type { Operation } from '../../domain/store-credit/ledger.ts';
import type { Caller } from '../support/route.ts';
import { readUnits } from '../support/read-number.ts';
import { scalar } from '../support/scalar.ts';
import { integer, text } from '../support/schemas.ts';

const decimal = /^[+-]?\d{1,20}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?$/i;
/** Half of 1/10 000: what is nearer to nothing is nothing. */
const nothingBelow = 0.000_05;

/**
 * Money that moves a wallet: at most four decimals, no exponent. What would round to nothing counts as nothing, so that
 * it is refused for not being above zero, in the wallet's own words.
 */
export const walletMoney = scalar<Amount, number>({
  type: 'float',
  read: readWalletMoney,
  write: toWire,
  json: { type: 'number' },
});

function readWalletMoney(given: unknown): Amount | undefined {
  const units = readUnits(given);
  if (units !== undefined) return amount(units);
  const written = typeof given === 'number' ? String(given) : given;
  const isNothing = typeof written === 'string' && decimal.test(written) && Math.abs(Number(written)) < nothingBelow;
  return isNothing ? zero : undefined;
}

/** What credit, debit and adjust have in common. An absent reason is refused in the wallet's words, as an empty one is. */
export const entryFields = {
  customerId: integer,
  websiteId: integer,
  reason: text(1_000).default(''),
  source: text(255).optional(),
};

/** Body of credit and debit (spec 4.11). */
export const entryPayload = z.object({ ...entryFields, amount: walletMoney, idempotencyKey: text(255).optional() });

type PostedEntry = z.output<typeof entryPayload>;

/** An empty key is none. */
export const newEntry = (operation: Operation, posted: PostedEntry, caller: Caller): NewEntry => ({
  ...posted,
  operation,
  source: posted.source || null,
  idempotencyKey: posted.idempotencyKey || null,
  actor: actorOf(caller),
});

const actorOf = ({ userType, userId }: Caller): WalletActor =>
  userType === 'admin' ? { adminUserId: userId } : { apiUser: { type: userType, id: userId } };
