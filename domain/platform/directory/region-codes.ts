import { findRegion, regionsOf } from './regions.ts';

/** A region as tables keep it: its number, if the directory has it, and its name. */
export interface KeptRegion {
  regionId: number | null;
  region: string | null;
}

/**
 * The region of a country by code or name, in any case of letters. A region that the directory does not have keeps its name
 * only.
 */
export function regionOf(countryId: string | null | undefined, given: string | null): KeptRegion {
  if (given === null || given.trim() === '') return { regionId: null, region: null };
  const wanted = given.trim().toUpperCase();
  const found = regionsOf(countryId ?? '').find(
    ({ code, name }) => code.toUpperCase() === wanted || name.toUpperCase() === wanted,
  );
  return { regionId: found?.regionId ?? null, region: found?.name ?? given };
}

/** The reverse of `regionOf`: the directory's code, else the name. */
export const regionCode = ({ regionId, region }: { regionId?: number | null; region?: string | null }) =>
  (regionId ? findRegion(regionId)?.code : undefined) ?? region ?? null;
