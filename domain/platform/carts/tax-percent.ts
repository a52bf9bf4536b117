/** The tax rate of a place for a product class. */
export interface TaxPlaceRate {
  code: string;
  taxClassId: number;
  countryId: string;
  /** 0: the whole country. */
  regionId: number;
  /** In 1/10 000 of a percent. */
  percent: number;
}

/** The destination of goods, as far as it is known. */
export interface TaxPlace {
  countryId: string;
  regionId: number | null;
}

/**
 * The tax rate of a product's class at a place: the region's own, else the country's, else no tax (platform facts
 * 9.5).
 */
export function taxRateOf(
  rates: readonly TaxPlaceRate[],
  taxClassId: number,
  { countryId, regionId }: TaxPlace,
): TaxPlaceRate | undefined {
  const ofCountry = rates.filter((rate) => rate.taxClassId === taxClassId && rate.countryId === countryId);
  return (
    ofCountry.find((rate) => rate.regionId !== 0 && rate.regionId === regionId) ??
    ofCountry.find((rate) => rate.regionId === 0)
  );
}
