import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { notFound } from '../../../domain/errors.ts';
import { findCountry } from '../../../domain/platform/directory/countries.ts';
import { route } from '../../http/route.ts';
import { countryAnswer, countryRenderer } from './render-country.ts';

/** One country by its two letters (platform facts 9.6). Refused with 404 when there is none. */
export const getCountry = route({
  method: 'GET',
  path: '/V1/directory/countries/:countryId',
  acl: 'anonymous',
  summary: 'One country',
  params: z.object({ countryId: z.string() }),
  response: countryAnswer,

  async handle({ em, store, params: { countryId } }) {
    const country = findCountry(countryId.toUpperCase());
    if (!country) throw notFound("The country isn't available.");
    const view = (await readStoreViews(em)).find((one) => one.store_id === store.storeId);
    return countryRenderer(view?.locale ?? 'en_US')(country);
  },
});
