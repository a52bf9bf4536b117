import { z } from 'zod';
import { countryNames, type Country } from '../../../domain/platform/directory/countries.ts';

export const countryAnswer = z
  .object({
    id: z.string(),
    two_letter_abbreviation: z.string(),
    three_letter_abbreviation: z.string(),
    full_name_locale: z.string(),
    full_name_english: z.string(),
    available_regions: z.array(z.object({ id: z.string(), code: z.string(), name: z.string() })).optional(),
  })
  .meta({ id: 'Country' });

/** Renders countries with their names in the store view's language and in English (platform facts 9.6). */
export function countryRenderer(locale: string) {
  const [localName, englishName] = [countryNames(locale.replace('_', '-')), countryNames('en-US')];
  return ({ id, threeLetters, regions }: Country): z.input<typeof countryAnswer> => ({
    id,
    two_letter_abbreviation: id,
    three_letter_abbreviation: threeLetters,
    full_name_locale: localName(id),
    full_name_english: englishName(id),
    ...(regions.length === 0
      ? {}
      : { available_regions: regions.map(({ regionId, code, name }) => ({ id: String(regionId), code, name })) }),
  });
}
