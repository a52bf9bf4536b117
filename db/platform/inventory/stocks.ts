import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchEntity, notFound } from '../../../domain/errors.ts';
import { emptyErrors, recordInvalid } from '../../../domain/platform/source-item-errors.ts';
import { given } from '../../support/given.ts';
import { records } from '../../support/records.ts';
import { everyField } from '../../support/search-fields.ts';
import { Website } from '../stores/website.entity.ts';
import { Reservation } from './reservation.entity.ts';
import { Stock } from './stock.entity.ts';

export interface StockDraft {
  name?: string | undefined;
  /** The websites that sell from it from now on; absent: unchanged. */
  websiteCodes?: readonly string[] | undefined;
}

/** The stock that websites use by default; it always exists. */
const defaultStockId = 1;

/**
 * The stocks that websites sell from (platform facts 10). A website sells from one stock: naming it here moves it from
 * its former stock; earlier reservations stay there. The sources of a deleted stock and their goods stay.
 *
 * Refused with: 404 unknown stock · 400 no name, an unknown website, a website that would have no stock; a deletion of
 * the default stock, of one used by a website, of one that ever had reservations.
 */
export const stocks = records<Stock, StockDraft, number>({
  entity: Stock,
  key: 'stockId',
  fields: everyField(Stock, 'websiteCodes'),
  unknown: (value) => notFound('Stock with id "%value" does not exist.', { value }),

  /**
   * Changes run one at a time, because the assignment of websites concerns all of them. The lock is the row of a website
   * that always exists. Sales read stocks without this lock.
   */
  hold: (tx) => tx.findOneOrFail(Website, { websiteId: 0 }, { lockMode: LockMode.PESSIMISTIC_WRITE }),

  check: (tx, { websiteCodes = [] }) => refuseUnknownWebsites(tx, websiteCodes),

  async write(tx, { name, websiteCodes }, known) {
    const errors = emptyErrors(name ?? known?.name ?? '', 'name');
    if (errors.length > 0) throw recordInvalid(errors);
    refuseOrphans(known, websiteCodes);
    if (websiteCodes) await leaveOtherStocks(tx, known, websiteCodes);
    const columns = given({ name, websiteCodes: websiteCodes && [...new Set(websiteCodes)] });
    return known ? tx.assign(known, columns) : tx.create(Stock, { name: '', websiteCodes: [], ...columns });
  },

  async beforeDelete(tx, { stockId, websiteCodes }) {
    if (stockId === defaultStockId) throw invalid('Default Stock could not be deleted.');
    if (websiteCodes.length > 0) throw invalid('Stock has at least one sale channel and could not be deleted.');
    if ((await tx.count(Reservation, { stockId })) > 0) throw invalid('Could not delete Stock');
  },
});

async function refuseUnknownWebsites(em: EntityManager, codes: readonly string[]): Promise<void> {
  const known = await em.find(Website, { code: { $in: [...codes] } });
  const unknown = codes.find((code) => !known.some((website) => website.code === code));
  if (unknown !== undefined) throw noSuchEntity('code', unknown);
}

/** A website without a stock could sell and reserve nothing. */
function refuseOrphans(stock: Stock | undefined, codes: readonly string[] | undefined): void {
  const left = stock?.websiteCodes.find((code) => codes && !codes.includes(code));
  if (left !== undefined) throw invalidValue('salesChannels', left);
}

async function leaveOtherStocks(tx: EntityManager, stock: Stock | undefined, codes: readonly string[]): Promise<void> {
  for (const other of await tx.findAll(Stock, { orderBy: { stockId: 1 } }))
    if (other !== stock) other.websiteCodes = other.websiteCodes.filter((code) => !codes.includes(code));
}

/** The stock a sales channel sells from; channels are websites. Refused with 404: a channel without one. */
export async function readStockOfChannel(
  em: EntityManager,
  { type, code }: { type: string; code: string },
): Promise<Stock> {
  const of = { websiteCodes: { $contains: [code] } };
  const stock = type === 'website' ? await em.findOne(Stock, of, { orderBy: { stockId: 1 } }) : null;
  if (!stock) throw notFound('No linked stock found');
  return stock;
}
