import { z } from 'zod';
import { postcodePatterns } from '../../domain/platform/directory/postcode-patterns.ts';
import { route } from '../http/route.ts';

const patternAnswer = z.object({ pattern: z.string(), example: z.string() }).meta({ id: 'PostcodePattern' });

/**
 * What postcodes look like, by country, encoded twice (spec 2.18, 4.1): a postcode is good when any of its country's
 * patterns matches.
 */
export const getPostcodePatterns = route({
  method: 'GET',
  path: '/V1/pos/postcode-patterns',
  acl: 'Vendor_Pos::locations',
  summary: 'Postcode patterns by country, encoded twice',
  name: 'getPostcodePatterns',
  description: `A postcode is good where one pattern of its country matches. A country that is not there has no
    rule. The answer is a JSON text inside JSON: parse it twice. It changes with releases only.`,
  outcomes: [],
  response: z.record(z.string(), z.array(patternAnswer)),
  isDoubleEncoded: true,

  handle: async () => postcodePatterns,
});
