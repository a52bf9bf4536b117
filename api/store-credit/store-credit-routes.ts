import type { AnyRoute } from '../http/route.ts';
import { adjustWallet } from './adjust-wallet.ts';
import { applyCartCredit } from './apply-cart-credit.ts';
import { creditWallet } from './credit-wallet.ts';
import { debitWallet } from './debit-wallet.ts';
import { getBalance } from './get-balance.ts';
import { getCartCredit } from './get-cart-credit.ts';
import { getOwnBalance } from './get-own-balance.ts';
import { listHistory } from './list-history.ts';
import { removeCartCredit } from './remove-cart-credit.ts';

/** The store-credit wallet (spec 4.11), its part of the one list of every route. */
export const storeCreditRoutes: readonly AnyRoute[] = [
  getBalance,
  listHistory,
  creditWallet,
  debitWallet,
  adjustWallet,
  getOwnBalance,
  getCartCredit,
  applyCartCredit,
  removeCartCredit,
];
