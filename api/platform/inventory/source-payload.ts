import { z } from 'zod';
import type { SourceChange } from '../../../db/platform/inventory/save-source.ts';
import { flag, integer, payload, text } from '../../wire/schemas.ts';

const optionalText = text(255).nullable().optional();

/** A source that a caller sends; coordinates, carriers and other unused fields are ignored. */
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
  latitude: z.unknown().optional(),
  longitude: z.unknown().optional(),
  description: z.unknown().optional(),
  fax: z.unknown().optional(),
  carrierLinks: z.unknown().optional(),
  extensionAttributes: z.unknown().optional(),
}).meta({ id: 'Source' });

export const sourceBody = z.object({ source });

/** The requested change; a source code in the path wins over the body. */
export function toSourceChange({ source: sent }: z.output<typeof sourceBody>, sourceCode?: string): SourceChange {
  const { enabled, latitude: _a, longitude: _b, description: _c, fax: _d, carrierLinks: _e, ...rest } = sent;
  const { extensionAttributes: _f, ...columns } = rest;
  return { ...columns, isEnabled: enabled, sourceCode: sourceCode ?? sent.sourceCode ?? '' };
}
