import { z } from 'zod';
import type { NewEntry } from '../../db/store-credit/add-entry.ts';
import type { Operation } from '../../domain/store-credit/ledger.ts';
import type { Caller } from '../http/route.ts';
import { movedMoney } from '../wire/moved-money.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { integer, text } from '../wire/schemas.ts';
import { walletActor } from '../http/wallet-actor.ts';

/** An amount that is not above zero is refused in the wallet's own words. */
export const walletMoney = movedMoney;

/**
 * The fields that credit, debit and adjust share. An absent reason is refused in the wallet's words, like an empty
 * one.
 */
export const entryFields = {
  customerId: integer,
  websiteId: integer,
  reason: text(1_000).default(''),
  source: text(255).optional(),
};

/** Body of credit and debit (spec 4.11). */
export const entryPayload = z.object({ ...entryFields, amount: walletMoney, idempotencyKey: text(255).optional() });

type PostedEntry = z.output<typeof entryPayload>;

/** An empty key counts as absent. Refused with 400: card data in the reason. */
export function newEntry(operation: Operation, posted: PostedEntry, caller: Caller): NewEntry {
  refuseCardData(posted.reason);
  return {
    ...posted,
    operation,
    source: posted.source || null,
    idempotencyKey: posted.idempotencyKey || null,
    actor: walletActor(caller),
  };
}
