import { creditMutants } from './credit-mutants.ts';
import { moneyMutants } from './money-mutants.ts';
import type { Mutant } from './mutant.ts';
import { orderMutants } from './order-mutants.ts';
import { registerMutants } from './register-mutants.ts';

/** Every mistake the tests must notice. */
export const mutants: readonly Mutant[] = [...moneyMutants, ...creditMutants, ...orderMutants, ...registerMutants];
