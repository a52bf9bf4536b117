import type { EntityManager } from '@mikro-orm/postgresql';
import { zero, type Amount } from '../../domain/money.ts';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';
import { inOneSnapshot } from '../support/one-snapshot.ts';
import { Wallet } from './wallet.entity.ts';
import { whyNoWallet } from './wallet.repository.ts';

/** A balance; its time is null where nothing was booked. */
export interface Balance {
  customerId: number;
  websiteId: number;
  amount: Amount;
  baseCurrencyCode: string;
  updatedAt: Date | null;
}

/**
 * A customer's store credit on a website (spec 2.17): zero, in the website's base currency, before the first entry.
 *
 * Refused with: 404 an unknown customer, an unknown website; the admin scope counts as unknown · 400 a website that
 * the account does not belong to, unless an order there left credit.
 */
export const findBalance = (em: EntityManager, customerId: number, websiteId: number): Promise<Balance> =>
  inOneSnapshot(em, async (tx) => {
    const customer = await tx.findOne(Customer, { id: customerId }, { fields: ['websiteId'] });
    const website = websiteId > 0 ? await tx.findOne(Website, { websiteId }) : null;
    const wallet = await tx.findOne(Wallet, { customerId, websiteId });
    if (!customer || !website || (!wallet && customer.websiteId !== websiteId))
      throw await whyNoWallet(tx, customerId, websiteId);
    return {
      ...{ customerId, websiteId, amount: wallet?.amount ?? zero },
      baseCurrencyCode: wallet?.baseCurrencyCode ?? website.baseCurrencyCode,
      updatedAt: wallet?.updatedAt ?? null,
    };
  });
