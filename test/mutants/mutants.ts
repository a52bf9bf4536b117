import { catalogMutants } from './catalog-mutants.ts';
import { contentMutants } from './content-mutants.ts';
import { counterMutants } from './counter-mutants.ts';
import { creditMutants } from './credit-mutants.ts';
import { documentMutants } from './document-mutants.ts';
import { kioskMutants } from './kiosk-mutants.ts';
import { eventMutants } from './event-mutants.ts';
import { feedMutants } from './feed-mutants.ts';
import { customerMutants } from './customer-mutants.ts';
import { listMutants } from './list-mutants.ts';
import { loadMutants } from './load-mutants.ts';
import { accessMutants } from './access-mutants.ts';
import { moneyMutants } from './money-mutants.ts';
import { nameMutants } from './name-mutants.ts';
import { operationMutants } from './operation-mutants.ts';
import { optionMutants } from './option-mutants.ts';
import { orderMutants } from './order-mutants.ts';
import { receiptMutants } from './receipt-mutants.ts';
import { refundMutants } from './refund-mutants.ts';
import { receiptPageMutants } from './receipt-page-mutants.ts';
import { publicMutants } from './public-mutants.ts';
import { registerMutants } from './register-mutants.ts';
import { repeatMutants } from './repeat-mutants.ts';
import { returnMutants } from './return-mutants.ts';
import { sumMutants } from './sum-mutants.ts';
import { saveMutants } from './save-mutants.ts';
import { tradeMutants } from './trade-mutants.ts';
import { telemetryMutants } from './telemetry-mutants.ts';
import { walletMutants } from './wallet-mutants.ts';
import type { Mutant } from './mutant.ts';

/** Every mistake the tests must notice. */
export const mutants: readonly Mutant[] = [
  ...accessMutants,
  ...catalogMutants,
  ...contentMutants,
  ...counterMutants,
  ...creditMutants,
  ...documentMutants,
  ...kioskMutants,
  ...eventMutants,
  ...feedMutants,
  ...customerMutants,
  ...listMutants,
  ...loadMutants,
  ...moneyMutants,
  ...nameMutants,
  ...operationMutants,
  ...optionMutants,
  ...orderMutants,
  ...publicMutants,
  ...registerMutants,
  ...receiptMutants,
  ...receiptPageMutants,
  ...refundMutants,
  ...repeatMutants,
  ...returnMutants,
  ...saveMutants,
  ...sumMutants,
  ...tradeMutants,
  ...telemetryMutants,
  ...walletMutants,
];
