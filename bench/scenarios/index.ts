import type { Scenario } from '../scenario.ts';
import { blockQuery, postedBlockQuery } from './block-query.ts';
import { listCategories, readAttribute } from './catalog.ts';
import { createLargeOrder, createOrder } from './create-order.ts';
import { saleChain } from './sale-chain.ts';
import { heartbeat } from './heartbeat.ts';
import { holdCart, listHeldCarts, recallCart, unchangedHeldCarts } from './held-carts.ts';
import { listProducts } from './list-products.ts';
import { readOrder } from './read-order.ts';
import { telemetryBatch } from './telemetry-batch.ts';
import { coldTerminalConfig, warmTerminalConfig, warmTerminalConfigBesideRead } from './terminal-config.ts';
import { applicableCredit } from './applicable-credit.ts';
import { customerPrices, validateCustomer } from './customers.ts';
import { receiptPage, receiptPageBesideCounting, receiptPageWithCodes } from './receipt-page.ts';
import { opsPages } from './ops-pages.ts';
import { previewRefund } from './preview-refund.ts';

/** Every path that is measured beside its own statements, in the order of the report. */
export const allScenarios: readonly Scenario[] = [
  listProducts,
  readOrder,
  createOrder,
  createLargeOrder,
  listCategories,
  readAttribute,
  saleChain,
  heartbeat,
  warmTerminalConfig,
  warmTerminalConfigBesideRead,
  coldTerminalConfig,
  holdCart,
  recallCart,
  listHeldCarts,
  unchangedHeldCarts,
  telemetryBatch,
  previewRefund,
  applicableCredit,
  validateCustomer,
  customerPrices,
  blockQuery,
  postedBlockQuery,
  receiptPage,
  receiptPageBesideCounting,
  receiptPageWithCodes,
  ...opsPages,
];
