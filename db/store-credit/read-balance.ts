import type { EntityManager } from '@mikro-orm/postgresql';
import { zero, type Amount } from '../../domain/money.ts';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';
import { freshReads } from '../support/fresh-reads.ts';
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
export async function findBalance(em: EntityManager, customerId: number, websiteId: number): Promise<Balance> {
  const reads = freshReads(em);
  const customer = await reads.findOne(Customer, { id: customerId }, { fields: ['websiteId'] });
  const website = websiteId > 0 ? await reads.findOne(Website, { websiteId }) : null;
  // The wallet alone changes: no snapshot is needed.
  const wallet = await reads.findOne(Wallet, { customerId, websiteId });
  if (!customer || !website || (!wallet && customer.websiteId !== websiteId))
    throw await whyNoWallet(em, customerId, websiteId);
  return {
    ...{ customerId, websiteId, amount: wallet?.amount ?? zero },
    baseCurrencyCode: wallet?.baseCurrencyCode ?? website.baseCurrencyCode,
    updatedAt: wallet?.updatedAt ?? null,
  };
}
