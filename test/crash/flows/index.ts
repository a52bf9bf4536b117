import type { CrashFlow } from '../crash-flow.ts';
import { attemptFlows } from './attempts.ts';
import { bulkFlows } from './bulk.ts';
import { contentFlows } from './content.ts';
import { creditFlows } from './credit.ts';
import { customerFlows } from './customers.ts';
import { documentFlows } from './documents.ts';
import { eventFlows } from './events.ts';
import { receiptFlows } from './receipts.ts';
import { registerFlows } from './register.ts';
import { repeatFlows } from './repeats.ts';
import { returnFlows } from './returns.ts';
import { saleFlows } from './sales.ts';

/** Every flow of the matrix. */
export const crashFlows: readonly CrashFlow[] = [
  ...returnFlows,
  ...attemptFlows,
  ...creditFlows,
  ...documentFlows,
  ...saleFlows,
  ...receiptFlows,
  ...repeatFlows,
  ...registerFlows,
  ...customerFlows,
  ...contentFlows,
  ...bulkFlows,
  ...eventFlows,
];
