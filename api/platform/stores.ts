import { z } from 'zod';
import { readStoreGroups, readStoreViews, readWebsites } from '../../db/platform/stores/read-stores.ts';
import { noSuchStore } from '../../domain/errors.ts';
import { platformModules } from '../../domain/platform/modules.ts';
import { route } from '../http/route.ts';
import { fieldsOf, named } from '../wire/fields.ts';
import { oneOrMore } from '../wire/rows.ts';

/** A store view as its answers have it (platform facts 11). */
const storeView = fieldsOf(
  {
    id: named('storeId', z.int()),
    code: z.string(),
    name: z.string(),
    website_id: z.int(),
    store_group_id: z.int(),
    is_active: { answer: z.int(), show: (is: boolean) => Number(is) },
  },
  'StoreView',
);

/**
 * One store view by its code or its id: not of the platform, but clients of it ask for one. Refused with: 404 unknown.
 */
export const getStoreView = route({
  method: 'GET',
  path: '/V1/store/storeViews/:code',
  acl: 'Platform_Backend::store',
  summary: 'One store view',
  name: 'getStoreView',
  description: 'By its code or its id.',
  outcomes: [
    {
      status: 404,
      message: "The store that was requested wasn't found. Verify the store and try again.",
      when: 'No store view has this code or id.',
    },
  ],
  examples: [
    {
      title: 'The first',
      params: { code: 'default' },
      response: { id: 1, code: 'default', name: 'Default Store View', website_id: 1, store_group_id: 1, is_active: 1 },
    },
  ],
  params: z.object({ code: z.string() }),
  response: storeView.answer,

  async handle({ em, params: { code } }) {
    const views = await readStoreViews(em);
    const found = views.find((view) => view.code === code || String(view.storeId) === code);
    if (!found) throw noSuchStore();
    return storeView.render(found);
  },
});

/** Every store view, the admin one (id 0) included; a plain list (platform facts 11). */
export const listStoreViews = route({
  method: 'GET',
  path: '/V1/store/storeViews',
  acl: 'Platform_Backend::store',
  summary: 'Store views',
  name: 'listStoreViews',
  description: `A plain list, the admin view (id 0) included. Put a \`code\` into the path, \`/rest/<code>/V1/…\`,
    to work in that view.`,
  outcomes: [],
  response: z.array(storeView.answer),
  handle: async ({ em }) => (await readStoreViews(em)).map(storeView.render),
});

const storeGroup = fieldsOf({
  id: named('groupId', z.int()),
  website_id: z.int(),
  root_category_id: z.int(),
  default_store_id: z.int(),
  name: z.string(),
  code: z.string(),
});

/** Every store group, the admin one (id 0) included; a plain list (platform facts 11). */
export const listStoreGroups = route({
  method: 'GET',
  path: '/V1/store/storeGroups',
  acl: 'Platform_Backend::store',
  summary: 'Store groups',
  name: 'listStoreGroups',
  description: 'A plain list, the admin group (id 0) included.',
  outcomes: [],
  response: z.array(storeGroup.answer),
  handle: async ({ em }) => (await readStoreGroups(em)).map(storeGroup.render),
});

const website = fieldsOf({
  id: named('websiteId', z.int()),
  code: z.string(),
  name: z.string(),
  default_group_id: z.int(),
});

/** Every website, the admin one (id 0) included; a plain list (platform facts 11). */
export const listWebsites = route({
  method: 'GET',
  path: '/V1/store/websites',
  acl: 'Platform_Backend::store',
  summary: 'Websites',
  name: 'listWebsites',
  description: 'A plain list, the admin website (id 0) included. A website has its own base currency and customers.',
  outcomes: [],
  response: z.array(website.answer),
  handle: async ({ em }) => (await readWebsites(em)).map(website.render),
});

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
      .filter((view) => view.storeId > 0 && (!storeCodes || storeCodes.includes(view.code)))
      .map((view) => ({
        id: view.storeId,
        code: view.code,
        website_id: view.websiteId,
        locale: view.locale,
        base_currency_code: view.website.baseCurrencyCode,
        default_display_currency_code: view.currencyCode,
        timezone: view.website.timeZone,
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

/** The modules that are switched on: the platform's, then those built on it. */
export const listModules = (ownModules: readonly string[]) =>
  route({
    method: 'GET',
    path: '/V1/modules',
    acl: 'Platform_Backend::admin',
    summary: 'Modules that are switched on',
    name: 'listModules',
    description: `A plain list of names, as clients of the platform look for them. A module is named where its routes
are
served, in whole or in part.`,
    outcomes: [],
    examples: [{ title: 'The first and the last', response: ['Magento_Store', 'Vendor_Pos'] }],
    response: z.array(z.string()),

    handle: () => Promise.resolve([...platformModules, ...ownModules]),
  });
