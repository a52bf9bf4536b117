import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { notFound } from '../../../domain/errors.ts';
import { findCountry } from '../../../domain/platform/directory/countries.ts';
import { route } from '../../http/route.ts';
import { countryAnswer, countryRenderer } from './render-country.ts';

/** One country by its two letters (platform facts 9.6). */
export const getCountry = route({
  method: 'GET',
  path: '/V1/directory/countries/:countryId',
  acl: 'anonymous',
  summary: 'One country',
  name: 'getCountry',
  description: 'By its two letters, in either case.',
  outcomes: [{ status: 404, message: "The country isn't available.", when: 'There is no such country.' }],
  params: z.object({ countryId: z.string() }),
  response: countryAnswer,

  async handle({ em, store, params: { countryId } }) {
    const country = findCountry(countryId.toUpperCase());
    if (!country) throw notFound("The country isn't available.");
    const view = (await readStoreViews(em)).find((one) => one.store_id === store.storeId);
    return countryRenderer(view?.locale ?? 'en_US')(country);
  },
});
