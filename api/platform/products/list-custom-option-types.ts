import { z } from 'zod';
import { route } from '../../http/route.ts';

const types = [
  { label: 'Field', code: 'field', group: 'Text' },
  { label: 'Area', code: 'area', group: 'Text' },
  { label: 'File', code: 'file', group: 'File' },
  { label: 'Drop-down', code: 'drop_down', group: 'Select' },
  { label: 'Radio Buttons', code: 'radio', group: 'Select' },
  { label: 'Checkbox', code: 'checkbox', group: 'Select' },
  { label: 'Multiple Select', code: 'multiple', group: 'Select' },
  { label: 'Date', code: 'date', group: 'Date' },
  { label: 'Date & Time', code: 'date_time', group: 'Date' },
  { label: 'Time', code: 'time', group: 'Date' },
];

/** The types that a custom option may have (platform facts 9.1). */
export const listCustomOptionTypes = route({
  method: 'GET',
  path: '/V1/products/options/types',
  acl: 'Platform_Catalog::products',
  name: 'listCustomOptionTypes',
  summary: 'List the types of custom options',
  description: 'What `type` of an option may be. Carts keep no files.',
  outcomes: [],
  examples: [{ title: 'All', response: types }],
  response: z.array(z.object({ label: z.string(), code: z.string(), group: z.string() })),
  handle: async () => types,
});
