import { counterMutants } from './counter-mutants.ts';
import { creditMutants } from './credit-mutants.ts';
import { kioskMutants } from './kiosk-mutants.ts';
import { loadMutants } from './load-mutants.ts';
import { moneyMutants } from './money-mutants.ts';
import { nameMutants } from './name-mutants.ts';
import { orderMutants } from './order-mutants.ts';
import { registerMutants } from './register-mutants.ts';
import { repeatMutants } from './repeat-mutants.ts';
import { saveMutants } from './save-mutants.ts';
import type { Mutant } from './mutant.ts';

/** Every mistake the tests must notice. */
export const mutants: readonly Mutant[] = [
  ...counterMutants,
  ...creditMutants,
  ...kioskMutants,
  ...loadMutants,
  ...moneyMutants,
  ...nameMutants,
  ...orderMutants,
  ...registerMutants,
  ...repeatMutants,
  ...saveMutants,
];
