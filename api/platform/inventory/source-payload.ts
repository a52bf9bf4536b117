import { z } from 'zod';
import type { SourceChange } from '../../../db/platform/inventory/save-source.ts';
import { readRounded } from '../../wire/read-number.ts';
import { scalar } from '../../wire/scalar.ts';
import { flag, integer, payload, text } from '../../wire/schemas.ts';

const optionalText = text(255).nullable().optional();

const microdegrees = 1_000_000;
const mostCarriers = 100;

const longText = text(65_535).nullable().optional();

/** Degrees with at most six decimals, in microdegrees; further decimals are rounded. */
const degrees = (limit: number) =>
  scalar<number, number>({
    type: 'float',
    read: (sent) => {
      const rounded = readRounded(sent, 6);
      if (rounded === undefined || Math.abs(Number(rounded)) > limit) return undefined;
      return Math.round(Number(rounded) * microdegrees);
    },
    write: (value) => value / microdegrees,
    json: { type: 'number', minimum: -limit, maximum: limit },
  })
    .nullable()
    .optional();

/** What customers who fetch their goods read of a source. */
const pickup = payload({
  isPickupLocationActive: flag.optional(),
  frontendName: optionalText,
  frontendDescription: longText,
});

/** A source that a caller sends: what a read answered may be sent back. */
const source = payload({
  sourceCode: text(64).optional(),
  name: text(255).optional(),
  enabled: flag.optional(),
  countryId: text(2).optional(),
  regionId: integer.nullable().optional(),
  region: optionalText,
  city: optionalText,
  street: optionalText,
  postcode: optionalText,
  phone: optionalText,
  email: optionalText,
  contactName: optionalText,
  useDefaultCarrierConfig: flag.optional(),
  latitude: degrees(90),
  longitude: degrees(180),
  description: longText,
  fax: optionalText,
  carrierLinks: z
    .array(payload({ carrierCode: text(255), position: integer.default(0) }))
    .max(mostCarriers)
    .optional(),
  extensionAttributes: pickup.optional(),
}).meta({ id: 'Source' });

export const sourceBody = z.object({ source });

/** The requested change; a source code in the path wins over the body. */
export function toSourceChange({ source: sent }: z.output<typeof sourceBody>, sourceCode?: string): SourceChange {
  const { enabled, latitude, longitude, extensionAttributes, ...columns } = sent;
  return {
    ...columns,
    ...extensionAttributes,
    isEnabled: enabled,
    latitudeMicrodegrees: latitude,
    longitudeMicrodegrees: longitude,
    sourceCode: sourceCode ?? sent.sourceCode ?? '',
  };
}
