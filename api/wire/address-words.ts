import { z } from 'zod';
import { payload, recordId, text } from './schemas.ts';

/** What addresses of customers and of carts have in common, as a caller sends them (platform facts 8, 11). */

export const maxStreetLines = 8;

export const optionalText = text(255).nullish();

/** The region as an object or as text, as on the platform. */
const region = z
  .union([
    payload({
      region: optionalText,
      regionCode: optionalText,
      regionId: recordId.nullish(),
      extensionAttributes: z.unknown().optional(),
    }),
    text(255).transform((name) => ({ region: name, regionCode: undefined, regionId: undefined })),
  ])
  .optional();

export const place = {
  region,
  regionId: recordId.nullish(),
  regionCode: optionalText,
  countryId: text(255).optional(),
  city: text(255).optional(),
};

interface Place {
  region?:
    | {
        region?: string | null | undefined;
        regionCode?: string | null | undefined;
        regionId?: number | null | undefined;
      }
    | undefined;
  regionId?: number | null | undefined;
  regionCode?: string | null | undefined;
}

/** What is said beside the region wins over what it says itself. */
export const regionOf = ({ region: of, regionId, regionCode }: Place) => ({
  region: of?.region,
  regionCode: regionCode ?? of?.regionCode,
  regionId: regionId ?? of?.regionId,
});
