import { giftCardStore } from '../gift-cards/gift-card-store.ts';
import { pointsStore } from '../reward-points/points-store.ts';
import { walletStore } from '../store-credit/wallet-store.ts';
import type { CreditStore } from '../credit-stores/credit-store.ts';

/** The stores of credit in our own database; of one kind the first is the active one. */
export const creditStores: readonly CreditStore[] = [walletStore, giftCardStore, pointsStore];
