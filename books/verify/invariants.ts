import type { Invariant } from './invariant.ts';
import { cartInvariants } from './invariants/carts.ts';
import { catalogInvariants } from './invariants/catalog.ts';
import { creditMemoInvariants } from './invariants/credit-memos.ts';
import { creditStoreInvariants } from './invariants/credit-stores.ts';
import { creditInvariants } from './invariants/credits.ts';
import { eventInvariants } from './invariants/events.ts';
import { guardInvariants } from './invariants/guards.ts';
import { growingCountInvariants } from './invariants/growing-counts.ts';
import { inventoryInvariants } from './invariants/inventory.ts';
import { invoiceInvariants } from './invariants/invoices.ts';
import { keptCountInvariants } from './invariants/kept-counts.ts';
import { layawayInvariants } from './invariants/layaways.ts';
import { limboInvariants } from './invariants/limbo.ts';
import { moneyOutInvariants } from './invariants/money-out.ts';
import { orderInvariants } from './invariants/orders.ts';
import { processInvariants } from './invariants/processes.ts';
import { refundInvariants } from './invariants/refunds.ts';
import { registerInvariants } from './invariants/registers.ts';
import { returnInvariants } from './invariants/returns.ts';
import { telemetryInvariants } from './invariants/telemetry.ts';
import { saveInvariants } from './invariants/saves.ts';
import { storeCreditInvariants } from './invariants/store-credit.ts';

/** Every rule that the present tables can break. */
export const invariants: readonly Invariant[] = [
  ...orderInvariants,
  ...saveInvariants,
  ...moneyOutInvariants,
  ...cartInvariants,
  ...layawayInvariants,
  ...invoiceInvariants,
  ...creditMemoInvariants,
  ...refundInvariants,
  ...returnInvariants,
  ...processInvariants,
  ...catalogInvariants,
  ...inventoryInvariants,
  ...registerInvariants,
  ...telemetryInvariants,
  ...growingCountInvariants,
  ...keptCountInvariants,
  ...storeCreditInvariants,
  ...creditInvariants,
  ...creditStoreInvariants,
  ...limboInvariants,
  ...guardInvariants,
  ...eventInvariants,
];
