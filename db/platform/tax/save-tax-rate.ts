import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidInput, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { taxRateErrors, type TaxRateDraft } from '../../../domain/platform/tax/tax-rate-errors.ts';
import { flag, integer, surely, text, texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { refusingTakenCodes } from './refusing-taken-codes.ts';
import { TaxRate, type TaxRateTitle } from './tax-rate.entity.ts';

export interface SentTaxRate extends TaxRateDraft {
  /** Absent: the earlier ones stay. */
  titles?: readonly TaxRateTitle[] | undefined;
}

export const rateInRule = 'The tax rate cannot be removed. It exists in a tax rule.';

/**
 * Creates a tax rate, or changes the one of the id (platform facts 9.5). Carts bear it from the next reading on, when a
 * tax rule names it. A repeat of a change leaves the same rate; of a creation it is refused, because the code is taken.
 *
 * Refused with: 404 `taxRateId` unknown rate · 400 no code, percentage or postcode, an unknown country, region or store
 * view, a range that ends before it begins, a code that is taken in any case of letters.
 *
 * @returns the rate's id
 */
export const saveTaxRate = (
  em: EntityManager,
  { rateId, rate }: { rateId: number | undefined; rate: SentTaxRate },
): Promise<number> =>
  refusingTakenCodes(() =>
    transact(em, async (tx) => {
      const known = rateId === undefined ? undefined : await lockedRate(tx, rateId);
      const errors = taxRateErrors(rate);
      if (errors.length > 0) throw invalidInput(errors);
      await refuseUnknownViews(tx, rate.titles ?? []);
      const columns = columnsOf(rate);
      const saved = known ? tx.assign(known, columns) : tx.create(TaxRate, { titles: [], ...columns });
      await tx.flush();
      return saved.rateId;
    }),
  );

/**
 * Deletes a tax rate; a repeat finds nothing. It waits for tax rules that are being saved with it.
 *
 * Refused with: 404 `taxRateId` unknown rate · 400 a tax rule names it.
 */
export const deleteTaxRate = (em: EntityManager, rateId: number): Promise<void> =>
  transact(em, async (tx) => {
    await lockedRate(tx, rateId);
    if ((await isInRule.first(tx, { rateId }))?.isSo) throw invalid(rateInRule);
    await remove.run(tx, { rateId });
  });

async function lockedRate(tx: EntityManager, rateId: number): Promise<TaxRate> {
  const rate = await tx.findOne(TaxRate, { rateId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!rate) throw noSuchEntity('taxRateId', rateId);
  return rate;
}

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
  const known = new Set((await readViews.all(em, { ids: titles.map(({ storeId }) => storeId) })).map(({ id }) => id));
  const stranger = titles.find(({ storeId }) => !known.has(storeId));
  if (stranger) throw invalidValue('store_id', stranger.storeId);
}

const readViews = statement({
  takes: { ids: texts },
  gives: { id: surely(text) },
  text: 'select store_id::text as id from store_view where store_id::text = any($ids::text[])',
});

const takes = { rateId: integer };
const isInRule = statement({
  takes,
  gives: { isSo: flag },
  text: 'select exists (select from tax_rule where $rateId = any(tax_rate_ids)) as is_so',
});
const remove = statement({ takes, text: 'delete from tax_rate where rate_id = $rateId' });
