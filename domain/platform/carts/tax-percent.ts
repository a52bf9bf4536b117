import { scaleUnits, wholeInPercent } from '../../money/fixed-point.ts';

/** A tax rate of a place, and the rule that lets it hold for a customer. */
export interface TaxPlaceRate {
  ruleId: number;
  /** Of the rule: rates of one priority are added; the next priority comes on top. */
  priority: number;
  /** Of the rule: its rates are of the price alone. */
  calculateSubtotal: boolean;
  /** The classes of goods that the rule is for. */
  productTaxClassIds: readonly number[];
  code: string;
  /** 0: the whole country. */
  regionId: number;
  postcode: string;
  /** In 1/10 000 of a percent. */
  percent: number;
}

/** The destination of goods, as far as it is known. */
export interface TaxPlace {
  countryId: string;
  regionId: number | null;
  postcode: string | null;
}

/** What goods of one class bear at a place. */
export interface LineTax {
  /** All rates together, in 1/10 000 of a percent. */
  percent: number;
  rates: readonly TaxPlaceRate[];
}

/** The longest postcode that is looked up; no country has a longer one. */
const longestPostcode = 12;

/** The ways in which a rate may name a postcode: itself, its beginnings with `*`, and every postcode. */
export function postcodesOf(postcode: string | null): string[] {
  const given = (postcode ?? '').trim().slice(0, longestPostcode);
  const beginnings = Array.from(given, (_, at) => `${given.slice(0, at + 1)}*`);
  return [...(given === '' ? [] : [given]), ...beginnings, '*'];
}

/** The digits that a range of postcodes is compared with, `12345` of `12345-6789`; null where there are none. */
export function zipNumberOf(postcode: string | null): number | null {
  const digits = /^\s*(\d{1,9})(?:-\d*)?\s*$/.exec(postcode ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The tax on goods of a class (platform facts 9.5): of each rule, the rate of the narrowest place. Rates of rules with
 * one priority are added; those of the next priority are of the price with the tax so far, unless the rule says of the
 * price alone.
 *
 * @param rates that hold at the place, for the customer
 * @returns undefined where no rule is for the class
 */
export function taxOf(rates: readonly TaxPlaceRate[], taxClassId: number): LineTax | undefined {
  const narrowest = new Map<number, TaxPlaceRate>();
  for (const rate of rates) {
    if (!rate.productTaxClassIds.includes(taxClassId)) continue;
    const found = narrowest.get(rate.ruleId);
    if (!found || isNarrower(rate, found)) narrowest.set(rate.ruleId, rate);
  }
  const held = [...narrowest.values()].toSorted(
    (one, other) => one.priority - other.priority || one.ruleId - other.ruleId,
  );
  return held.length === 0 ? undefined : { percent: together(held), rates: held };
}

/** A region before its country, a named postcode before `*`, the higher of two that are alike. */
function isNarrower(one: TaxPlaceRate, other: TaxPlaceRate): boolean {
  if (one.regionId !== other.regionId) return one.regionId !== 0;
  if (one.postcode !== other.postcode) return one.postcode > other.postcode;
  return one.percent > other.percent;
}

function together(rates: readonly TaxPlaceRate[]): number {
  let percent = 0;
  rates.forEach((rate, at) => {
    if (at > 0 && rates[at - 1]?.priority === rate.priority) return;
    const group = rates.filter(({ priority }) => priority === rate.priority);
    const added = group.reduce((sum, one) => sum + one.percent, 0);
    const isOfPrice = group.at(-1)?.calculateSubtotal ?? false;
    percent += isOfPrice ? added : scaleUnits(added, wholeInPercent + percent, wholeInPercent);
  });
  return percent;
}
