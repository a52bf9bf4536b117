import { giveBackWithMemo } from '../db/credits/book-memo-with-credits.ts';
import { giveBackOnCancel } from '../db/credits/give-back-on-cancel.ts';
import { createCreditSpender } from '../db/credits/spend-credits.ts';
import type { MemoHook } from '../db/platform/credit-memos/book-credit-memo.ts';
import type { CancelHook } from '../db/platform/orders/cancel-order.ts';
import type { OrderHook } from '../db/platform/orders/create-order.ts';
import { createReceiptLinker } from '../db/receipts/link-receipt.ts';
import type { Log } from '../providers/log.ts';

/** What the point of sale wants to happen when an order is saved. The platform knows only that there is a list. */
export const orderSaveHooks = (log: Log): readonly OrderHook[] => [createCreditSpender(), createReceiptLinker(log)];

/** What it wants to happen when a credit memo is booked, or an order is cancelled, by the platform's own routes. */
export const memoHooks: readonly MemoHook[] = [giveBackWithMemo];
export const cancelHooks: readonly CancelHook[] = [giveBackOnCancel];
