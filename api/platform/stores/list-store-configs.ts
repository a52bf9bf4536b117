import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { oneOrMore } from '../../wire/one-or-more.ts';
import { route } from '../../http/route.ts';

const url = z.string();

/** More store views than any shop has. */
const maxCodes = 1_000;

/**
 * The settings of store views for showing prices, times and links; a plain list without the admin view (platform facts
 * 11).
 */
export const listStoreConfigs = route({
  method: 'GET',
  path: '/V1/store/storeConfigs',
  acl: 'Platform_Backend::store',
  summary: 'Settings of store views',
  name: 'listStoreConfigs',
  description: `Locale, time zone, currencies and addresses of the store views; a plain list without the admin view.
    \`storeCodes\` picks some; unknown codes are left out.`,
  outcomes: [],
  query: z.object({ storeCodes: oneOrMore(z.string(), maxCodes).optional() }),
  response: z.array(
    z.object({
      id: z.int(),
      code: z.string(),
      website_id: z.int(),
      locale: z.string(),
      base_currency_code: z.string(),
      default_display_currency_code: z.string(),
      timezone: z.string(),
      weight_unit: z.string(),
      base_url: url,
      base_link_url: url,
      base_static_url: url,
      base_media_url: url,
      secure_base_url: url,
      secure_base_link_url: url,
      secure_base_static_url: url,
      secure_base_media_url: url,
    }),
  ),

  async handle({ em, query: { storeCodes }, settings }) {
    const views = await readStoreViews(em);
    const links = linksUnder(settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`);
    return views
      .filter((view) => view.store_id > 0 && (!storeCodes || storeCodes.includes(view.code)))
      .map((view) => ({
        id: view.store_id,
        code: view.code,
        website_id: view.website_id,
        locale: view.locale,
        base_currency_code: view.base_currency_code,
        default_display_currency_code: view.currency_code,
        timezone: view.time_zone,
        weight_unit: 'lbs',
        ...links,
      }));
  },
});

function linksUnder(address: string) {
  const base = address.endsWith('/') ? address : `${address}/`;
  return {
    base_url: base,
    base_link_url: base,
    base_static_url: `${base}static/`,
    base_media_url: `${base}media/`,
    secure_base_url: base,
    secure_base_link_url: base,
    secure_base_static_url: `${base}static/`,
    secure_base_media_url: `${base}media/`,
  };
}
