import { z } from 'zod';
import { readSource } from '../../../db/platform/inventory/read-sources.ts';
import { route } from '../../http/route.ts';
import { renderSource, sourceAnswer } from './render-source.ts';

/** One source (platform facts 10). */
export const getSource = route({
  method: 'GET',
  path: '/V1/inventory/sources/:sourceCode',
  acl: 'Platform_InventoryApi::source',
  summary: 'One source',
  name: 'getSource',
  description: 'One place that holds goods, by its code.',
  outcomes: [{ status: 404, message: 'Source with code "%value" does not exist.', when: 'No source has this code.' }],
  params: z.object({ sourceCode: z.string() }),
  response: sourceAnswer,

  handle: async ({ em, params: { sourceCode } }) => renderSource(await readSource(em, sourceCode)),
});
