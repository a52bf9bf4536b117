import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import type { Caller } from './route.ts';

/** Who a wallet's history names (spec 2.17): an administrator, an integration; for everybody else the shop itself acts. */
export const walletActor = ({ userType, userId }: Pick<Caller, 'userType' | 'userId'>): WalletActor => {
  if (userType === 'admin') return { adminUserId: userId };
  return userType === 'integration' ? { apiUser: { type: userType, id: userId } } : {};
};
