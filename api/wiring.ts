import type { OrderHook } from '../db/platform/orders/create-order.ts';
import { createCreditSpender } from '../db/credits/spend-credits.ts';
import { createReceiptLinker } from '../db/receipts/link-receipt.ts';
import type { Log } from '../providers/log.ts';

/** What the point of sale wants to happen when an order is saved. The platform knows only that there is a list. */
export const orderSaveHooks = (log: Log): readonly OrderHook[] => [createCreditSpender(), createReceiptLinker(log)];
