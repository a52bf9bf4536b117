import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { emptyErrors, recordInvalid } from '../../../domain/platform/source-item-errors.ts';
import { given } from '../../support/given.ts';
import { transact } from '../../support/transact.ts';
import { Website } from '../stores/website.entity.ts';
import { noSuchStock } from './read-stocks.ts';
import { Reservation } from './reservation.entity.ts';
import { Stock } from './stock.entity.ts';

export interface StockChange {
  /** Absent: a new stock. */
  stockId?: number | undefined;
  name?: string | undefined;
  /** The websites that sell from it from now on; absent: unchanged. */
  websiteCodes?: readonly string[] | undefined;
}

/** The stock that websites use by default; it always exists. */
const defaultStockId = 1;

/**
 * Creates or changes a stock (platform facts 10). A website sells from one stock: naming it here moves it from its
 * former stock. Earlier reservations stay with the former stock.
 *
 * Refused with: 404 unknown stock · 400 no name, an unknown website, a website that would have no stock.
 *
 * @returns the stock's id
 */
export const saveStock = (em: EntityManager, { stockId, ...change }: StockChange): Promise<number> =>
  transact(em, async (tx) => {
    await lockStocks(tx);
    const stocks = await tx.findAll(Stock, { orderBy: { stockId: 1 } });
    await refuseUnknownWebsites(tx, change.websiteCodes ?? []);
    const stock =
      stockId === undefined
        ? tx.create(Stock, { name: '', websiteCodes: [] })
        : stocks.find((one) => one.stockId === stockId);
    if (!stock) throw noSuchStock(stockId);
    const errors = emptyErrors(change.name ?? stock.name, 'name');
    if (errors.length > 0) throw recordInvalid(errors);
    refuseOrphans(stock, change.websiteCodes);
    for (const other of stocks) {
      if (other !== stock)
        other.websiteCodes = other.websiteCodes.filter((code) => !change.websiteCodes?.includes(code));
    }
    Object.assign(
      stock,
      given({ name: change.name, websiteCodes: change.websiteCodes && [...new Set(change.websiteCodes)] }),
    );
    await tx.flush();
    return stock.stockId;
  });

/**
 * Deletes a stock that no website uses. Its sources and their goods stay.
 *
 * Refused with: 404 unknown stock · 400 the default stock, one used by a website, one that ever had reservations.
 */
export const deleteStock = (em: EntityManager, stockId: number): Promise<void> =>
  transact(em, async (tx) => {
    await lockStocks(tx);
    const stock = await tx.findOne(Stock, { stockId });
    if (!stock) throw noSuchStock(stockId);
    if (stockId === defaultStockId) throw invalid('Default Stock could not be deleted.');
    if (stock.websiteCodes.length > 0) throw invalid('Stock has at least one sale channel and could not be deleted.');
    if ((await tx.count(Reservation, { stockId })) > 0) throw invalid('Could not delete Stock');
    await tx.nativeDelete(Stock, { stockId });
  });

/**
 * Changes and creates of stocks run one at a time, because the assignment of websites concerns all of them. The lock
 * is the row of a website that always exists. Sales read stocks without this lock.
 */
const lockStocks = (em: EntityManager) =>
  em.findOneOrFail(Website, { websiteId: 0 }, { lockMode: LockMode.PESSIMISTIC_WRITE });

async function refuseUnknownWebsites(em: EntityManager, codes: readonly string[]): Promise<void> {
  const known = await em.find(Website, { code: { $in: [...codes] } });
  const unknown = codes.find((code) => !known.some((website) => website.code === code));
  if (unknown !== undefined) throw noSuchEntity('code', unknown);
}

/** A website without a stock could sell and reserve nothing. */
function refuseOrphans(stock: Stock, codes: readonly string[] | undefined): void {
  const left = stock.websiteCodes.find((code) => codes && !codes.includes(code));
  if (left !== undefined) throw invalidValue('salesChannels', left);
}
