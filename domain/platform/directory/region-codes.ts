import { findRegion, regionsOf } from './regions.ts';

/** As tables keep a region: its number where the directory knows it, and the name people read. */
export interface KeptRegion {
  regionId: number | null;
  region: string | null;
}

/** The region of a country by its code or its name. One that no directory knows is kept as it is written. */
export function regionOf(countryId: string | null | undefined, given: string | null): KeptRegion {
  if (given === null || given.trim() === '') return { regionId: null, region: null };
  const found = regionsOf(countryId ?? '').find(({ code, name }) => code === given || name === given);
  return { regionId: found?.regionId ?? null, region: found?.name ?? given };
}

/** What `regionOf` reads back: the code of the directory, else the name. */
export const regionCode = ({ regionId, region }: { regionId?: number | null; region?: string | null }) =>
  (regionId ? findRegion(regionId)?.code : undefined) ?? region ?? null;
