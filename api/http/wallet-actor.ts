import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import type { Caller } from './route.ts';

/**
 * The actor in a wallet's history (spec 2.17): an administrator or an integration; for any other caller the shop
 * itself.
 */
export const walletActor = ({ userType, userId }: Pick<Caller, 'userType' | 'userId'>): WalletActor => {
  if (userType === 'admin') return { adminUserId: userId };
  return userType === 'integration' ? { apiUser: { type: userType, id: userId } } : {};
};
