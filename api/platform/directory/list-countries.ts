import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { countries } from '../../../domain/platform/directory/countries.ts';
import { route } from '../../http/route.ts';
import { countryAnswer, countryRenderer } from './render-country.ts';

/** Every country with its regions, for address forms; a plain list (platform facts 9.6). */
export const listCountries = route({
  method: 'GET',
  path: '/V1/directory/countries',
  acl: 'anonymous',
  summary: 'Countries and their regions',
  name: 'listCountries',
  description: `For address forms: every country with its regions, by its name in the store view’s language and in
    English.`,
  outcomes: [],
  response: z.array(countryAnswer),

  async handle({ em, store }) {
    const view = (await readStoreViews(em)).find((one) => one.store_id === store.storeId);
    return countries.map(countryRenderer(view?.locale ?? 'en_US'));
  },
});
