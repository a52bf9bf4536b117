import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { regionOf } from '../../domain/platform/directory/region-codes.ts';
import { linkSources, unlinkSources } from '../platform/inventory/stock-source-links.ts';
import { saveSource } from '../platform/inventory/sources.ts';
import { stocks as allStocks } from '../platform/inventory/stocks.ts';
import { Source } from '../platform/inventory/source.entity.ts';
import { Stock, StockSourceLink } from '../platform/inventory/stock.entity.ts';
import type { Keeper } from './keeper.ts';
import { refuseUses, usesOfSource } from './uses-of.ts';

export const sources: Keeper<'source'> = {
  async save(em, { name: sourceCode, fields: { region, countryId, ...fields } }) {
    const known = await em.findOne(Source, { sourceCode });
    const country = countryId ?? known?.countryId;
    await saveSource(em, {
      sourceCode,
      ...fields,
      countryId: countryId ?? undefined,
      ...(region === undefined ? {} : regionOf(country, region)),
    });
  },
  async remove(em, sourceCode) {
    refuseUses(`source ${sourceCode}`, await usesOfSource.all(em, { sourceCode }));
    await em.nativeDelete(Source, { sourceCode });
  },
};

export const stocks: Keeper<'stock'> = {
  async save(em, { name, fields: { websites, sources: codes } }) {
    const stock = await em.findOne(Stock, { name });
    // A website that leaves this stock joins another one later; `refuseWithoutStock` checks at the end that it did.
    const kept = stock?.websiteCodes ?? [];
    const { stockId } = await allStocks.save(em, {
      id: stock?.stockId,
      draft: { name, websiteCodes: websites === undefined ? undefined : [...new Set([...kept, ...websites])] },
    });
    if (codes === undefined) return;
    const links = codes.map((sourceCode, at) => ({ stockId, sourceCode, priority: at + 1 }));
    if (links.length > 0) await linkSources(em, links);
    const linked = await em.find(StockSourceLink, { stockId });
    const gone = linked.filter(({ sourceCode }) => !codes.includes(sourceCode));
    if (gone.length > 0) await unlinkSources(em, gone);
  },
  async remove(em, name) {
    const { stockId } = await em.findOneOrFail(Stock, { name });
    await allStocks.remove(em, stockId);
  },
};

/** Called when every stock is saved. It refuses a website that no stock sells to. */
export async function refuseWithoutStock(
  em: EntityManager,
  wanted: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  for (const { name, websiteCodes } of await em.find(Stock, {}, { refresh: true })) {
    const codes = wanted.get(name);
    const left = codes && websiteCodes.find((code) => !codes.includes(code));
    if (left !== undefined)
      throw invalid('Website %1 would have no stock to sell from; name it in another stock.', [left]);
  }
}
