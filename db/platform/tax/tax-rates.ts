import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidInput, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { taxRateErrors, type TaxRateDraft } from '../../../domain/platform/tax-errors.ts';
import { records } from '../../support/records.ts';
import { fieldsNamed } from '../../support/search-fields.ts';
import { StoreView } from '../stores/store-view.entity.ts';
import { TaxRate, TaxRule, type TaxRateTitle } from './tax.entity.ts';
import { codeIsTaken } from './taken-codes.ts';

export interface SentTaxRate extends TaxRateDraft {
  /** Absent: the earlier ones stay. */
  titles?: readonly TaxRateTitle[] | undefined;
}

export const rateInRule = 'The tax rate cannot be removed. It exists in a tax rule.';

/**
 * The tax rates of all places (platform facts 9.5). Carts bear them from the next reading on, when a tax rule names
 * them. A repeat of a creation is refused, because the code is taken. A deletion waits for rules that are being saved.
 *
 * Refused with: 404 `taxRateId` unknown rate · 400 no code, percentage or postcode, an unknown country, region or store
 * view, a range that ends before it begins, a code that is taken in any case of letters; a deletion while a rule names it.
 */
export const taxRates = records<TaxRate, SentTaxRate, number>({
  entity: TaxRate,
  key: 'rateId',
  fields: {
    ...fieldsNamed(TaxRate, {
      id: 'rateId',
      tax_calculation_rate_id: 'rateId',
      tax_region_id: 'regionId',
      tax_postcode: 'postcode',
      zip_from: 'zipFrom',
      zip_to: 'zipTo',
      rate: 'percent',
      code: 'code',
    }),
    tax_country_id: { column: 'country_id', type: 'code' },
  },
  unknown: (rateId) => noSuchEntity('taxRateId', rateId),
  taken: codeIsTaken,

  async write(tx, rate, known) {
    const errors = taxRateErrors(rate);
    if (errors.length > 0) throw invalidInput(errors);
    await refuseUnknownViews(tx, rate.titles ?? []);
    const columns = columnsOf(rate);
    return known ? tx.assign(known, columns) : tx.create(TaxRate, { titles: [], ...columns });
  },

  async beforeDelete(tx, { rateId }) {
    const naming = await tx.findOne(TaxRule, { taxRateIds: { $contains: [rateId] } });
    if (naming) throw invalid(rateInRule);
  },
});

/** As wide as the column: the platform cuts a longer one too. */
const longestPostcode = 10;

function columnsOf({ countryId = '', regionId = 0, percent = '', code = '', titles, ...rate }: SentTaxRate) {
  const [zipFrom, zipTo] = rate.isZipRange ? [rate.zipFrom ?? 0, rate.zipTo ?? 0] : [null, null];
  const postcode = rate.isZipRange ? `${zipFrom}-${zipTo}` : (rate.postcode ?? '').trim().slice(0, longestPostcode);
  return {
    ...{ countryId, regionId, percent, code, postcode, zipFrom, zipTo },
    ...(titles ? { titles: [...titles] } : {}),
  };
}

async function refuseUnknownViews(em: EntityManager, titles: readonly TaxRateTitle[]): Promise<void> {
  if (titles.length === 0) return;
  const known = new Set((await em.find(StoreView, {})).map(({ storeId }) => String(storeId)));
  const stranger = titles.find(({ storeId }) => !known.has(storeId));
  if (stranger) throw invalidValue('store_id', stranger.storeId);
}
