import { quantity, text } from '../../wire/schemas.ts';

/** More than any carrier writes about a parcel. */
const maxDescription = 65_535;

/** A parcel as callers send it (platform facts 5.5). */
export const trackWords = {
  trackNumber: text(255).default(''),
  title: text(255).default(''),
  carrierCode: text(255).default(''),
  description: text(maxDescription).optional(),
  weight: quantity.optional(),
  qty: quantity.optional(),
};
