import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { emptyErrors, linkErrors, recordInvalid, sourceErrors } from '../../../domain/platform/stock-sources.ts';
import {
  defaultSourceNotDisabled,
  defaultStockNotDeletable,
  noLinkedStock,
  sourceNotFound,
  stockHasSalesChannel,
  stockNotDeleted,
  stockNotFound,
  stockSourceLinksNotSaved,
} from '../../../domain/refusals/inventory.ts';
import { searchFieldsOf } from '../../support/fields.ts';
import { ofEntity, searchesRecords } from '../../support/search-records.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { recordReads, records } from '../../support/records.ts';
import { transact } from '../../support/transact.ts';
import { Website } from '../stores/store.entity.ts';
import { Reservation, Source, Stock, StockSourceLink } from './stock.entity.ts';

/** The links of stocks and sources, by stock and priority (platform facts 10). */
export const searchStockSourceLinks = searchesRecords({
  entity: StockSourceLink,
  fields: searchFieldsOf(StockSourceLink, { without: ['linkId'] }),
  order: 'stock_id, priority, link_id',
});

export interface LinkedSource {
  stockId: number;
  sourceCode: string;
  /** The lowest number sells first. */
  priority: number;
}

/**
 * Links sources to stocks, with their priorities (platform facts 10). An existing link gets the new priority, so a
 * repeat changes nothing.
 *
 * Refused with: 400 a blank code, a priority below 1, an unknown stock or source; then nothing is linked.
 */
export const linkSources = (em: EntityManager, links: readonly LinkedSource[]): Promise<void> =>
  transact(em, async (tx) => {
    const errors = links.flatMap(linkErrors);
    if (errors.length > 0) throw recordInvalid(errors);
    const stocks = await tx.find(Stock, { stockId: { $in: links.map(({ stockId }) => stockId) } });
    const sources = await tx.find(Source, { sourceCode: { $in: links.map(({ sourceCode }) => sourceCode) } });
    const isKnown = ({ stockId, sourceCode }: LinkedSource) =>
      stocks.some((stock) => stock.stockId === stockId) && sources.some((source) => source.sourceCode === sourceCode);
    if (!links.every(isKnown)) throw stockSourceLinksNotSaved();
    // Of two rows for one link the last counts.
    const byLink = new Map(links.map((link) => [`${link.stockId} ${link.sourceCode}`, link]));
    await tx.upsertMany(StockSourceLink, [...byLink.values()], {
      onConflictFields: ['stockId', 'sourceCode'],
      onConflictMergeFields: ['priority'],
    });
  });

/** Removes links between stocks and sources. A repeat changes nothing. */
export const unlinkSources = async (
  em: EntityManager,
  links: readonly Pick<LinkedSource, 'stockId' | 'sourceCode'>[],
): Promise<void> => {
  await em.nativeDelete(StockSourceLink, {
    $or: links.map(({ stockId, sourceCode }) => ({ stockId, sourceCode })),
  });
};

/** The fields of a source that a caller sends; an absent field keeps its value. */
export type SourceChange = { sourceCode: string } & {
  [Key in Exclude<keyof Source, 'sourceCode' | symbol>]?: Source[Key] | undefined;
};

/** The source of single-source shops: it cannot be disabled. */
const defaultSource = 'default';

const { is_enabled: enabled, ...fields } = searchFieldsOf(Source, {
  without: ['latitudeMicrodegrees', 'longitudeMicrodegrees', 'carrierLinks', 'frontendName', 'frontendDescription'],
});

/** The stock sources of a shop, by their codes (platform facts 10). */
export const sources = recordReads<Source, string>({
  entity: Source,
  key: 'sourceCode',
  fields: {
    ...fields,
    ...(enabled ? { enabled } : {}),
    latitude: { column: `(${ofEntity}.latitude_microdegrees / 1e6)`, type: 'decimal', isNullable: true },
    longitude: { column: `(${ofEntity}.longitude_microdegrees / 1e6)`, type: 'decimal', isNullable: true },
  },
  unknown: (sourceCode) => sourceNotFound({ value: sourceCode }),
});

/**
 * Creates or changes a stock source (platform facts 10). A repeat changes nothing.
 *
 * Refused with: 400 no code, name, postcode or country, all reported at once · 400 disabling the default source.
 */
export const saveSource = (em: EntityManager, change: SourceChange): Promise<void> =>
  transact(em, async (tx) => {
    const { sourceCode, ...sent } = change;
    const known = await tx.findOne(Source, { sourceCode }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const errors = sourceErrors({ ...known, ...definedFields(change) });
    if (errors.length > 0) throw recordInvalid(errors);
    if (sourceCode === defaultSource && sent.isEnabled === false) throw defaultSourceNotDisabled();
    // Of two concurrent creates one row remains, with the later values.
    if (known) tx.assign(known, definedFields(sent));
    else await tx.upsert(Source, definedFields(change));
    await tx.flush();
  });

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
  fields: searchFieldsOf(Stock, { without: ['websiteCodes'] }),
  unknown: (value) => stockNotFound({ value }),

  /**
   * Changes run one at a time, because the assignment of websites concerns all of them. The lock is the row of a
   * website that always exists. Sales read stocks without this lock.
   */
  hold: (tx) => tx.findOneOrFail(Website, { websiteId: 0 }, { lockMode: LockMode.PESSIMISTIC_WRITE }),

  check: (tx, { websiteCodes = [] }) => refuseUnknownWebsites(tx, websiteCodes),

  async write(tx, { name, websiteCodes }, known) {
    const errors = emptyErrors(name ?? known?.name ?? '', 'name');
    if (errors.length > 0) throw recordInvalid(errors);
    refuseOrphans(known, websiteCodes);
    if (websiteCodes) await leaveOtherStocks(tx, known, websiteCodes);
    const columns = definedFields({ name, websiteCodes: websiteCodes && [...new Set(websiteCodes)] });
    return known ? tx.assign(known, columns) : tx.create(Stock, { name: '', websiteCodes: [], ...columns });
  },

  async beforeDelete(tx, { stockId, websiteCodes }) {
    if (stockId === defaultStockId) throw defaultStockNotDeletable();
    if (websiteCodes.length > 0) throw stockHasSalesChannel();
    if ((await tx.count(Reservation, { stockId })) > 0) throw stockNotDeleted();
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
  if (!stock) throw noLinkedStock();
  return stock;
}
