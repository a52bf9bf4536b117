import { z } from 'zod';
import { revokeTokens } from '../../db/platform/access/revoke-tokens.ts';
import { findAdminCredentials, findCustomerCredentials } from '../../db/platform/access/throttle-token-request.ts';
import { readStoreViews } from '../../db/platform/stores/read-stores.ts';
import { currencyFormat } from '../../domain/currency-texts.ts';
import { countries, countryNames, findCountry, type Country } from '../../domain/platform/directory.ts';
import {
  accountNotConfirmed,
  countryNotAvailable,
  morePermissionsNeeded,
  severalInputErrors,
  signInIncorrect,
  tooManySignIns,
} from '../../domain/refusals/platform.ts';
import { done, route } from '../http/route.ts';
import { signIn } from '../http/sign-in.ts';
import { text } from '../wire/schemas.ts';

/** Longer than any password bcrypt reads, short enough to refuse before hashing. */
const maxPassword = 1_024;

/** Absent fields are answered like empty ones (platform facts 1.3). */
const credentials = z.object({ username: text(255).default(''), password: text(maxPassword).default('') });

/** The answer of a sign-in: the token as a JSON string. */
const tokenAnswer = z.string();

/** An administrator's token is valid for four hours (platform facts 1.3). */
const lifetimeSeconds = 4 * 3_600;

/** Signs an administrator in (platform facts 1.3). */
export const createAdminToken = route({
  method: 'POST',
  path: '/V1/integration/admin/token',
  acl: 'anonymous',
  summary: 'Sign an administrator in',
  name: 'createAdminToken',
  description: `Answers a token as a bare JSON text; it is good for four hours. Each call issues one more. A
    register does not need it: it has the access token of an integration.`,
  outcomes: [
    severalInputErrors.because('Name and password are empty; one alone is the sentence itself.'),
    signInIncorrect.because(
      'The name or the password is wrong, or six wrong ones locked the name for half an hour. The message is the same.',
    ),
    morePermissionsNeeded,
    tooManySignIns.because(
      'More passwords wait to be checked than the server takes at once.',
      'Wait for `Retry-After` seconds.',
    ),
  ],
  commits: 'several',
  body: credentials,
  response: tokenAnswer,
  isPrivate: true,

  handle: ({ body, em, providers, now, clientAddress }) =>
    signIn({
      ...body,
      em,
      now,
      address: clientAddress,
      lifetimeSeconds,
      passwords: providers.passwords,
      userType: 'admin',
      entryPoint: 'token',
      find: () => findAdminCredentials(em, body.username),
    }),
});

/** A customer's token is valid for an hour (platform facts 1.3). */
const customerTokenLifetimeSeconds = 3_600;

/** Signs a customer in by e-mail, in the website of the path (platform facts 1.3). */
export const createCustomerToken = route({
  method: 'POST',
  path: '/V1/integration/customer/token',
  acl: 'anonymous',
  summary: 'Sign a customer in',
  name: 'createCustomerToken',
  description: `By e-mail, in the website of the path. Answers a token as a bare JSON text; it is good for an hour.
    Each call issues one more.`,
  outcomes: [
    severalInputErrors.because('E-mail and password are empty; one alone is the sentence itself.'),
    signInIncorrect.because(
      'The name or the password is wrong, or six wrong ones locked the name for half an hour: these are told alike.',
    ),
    accountNotConfirmed,
    tooManySignIns.because(
      'More passwords wait to be checked than the server takes at once.',
      'Wait for `Retry-After` seconds.',
    ),
  ],
  commits: 'several',
  body: credentials,
  response: tokenAnswer,
  isPrivate: true,

  handle: ({ body, em, providers, store, now, clientAddress }) =>
    signIn({
      ...body,
      em,
      now,
      address: clientAddress,
      lifetimeSeconds: customerTokenLifetimeSeconds,
      passwords: providers.passwords,
      userType: 'customer',
      entryPoint: 'token',
      find: () => findCustomerCredentials(em, body.username, store.websiteId),
    }),
});

/** Ends every token of the calling customer at once (platform facts 1.3). */
export const revokeCustomerToken = route({
  method: 'POST',
  path: '/V1/integration/customer/revoke-customer-token',
  acl: 'self',
  summary: 'Sign a customer out everywhere',
  name: 'revokeCustomerToken',
  description: 'Every token of the customer ends at once, the one of this call too.',
  outcomes: [],
  response: z.literal(true),

  handle: ({ em, caller, now }) => done(revokeTokens(em, { userType: 'customer', userId: caller.userId, now })),
});

/** The website's base currency, the store view's currency, and the exchange rates of base (platform facts 9.6). */
export const getCurrency = route({
  method: 'GET',
  path: '/V1/directory/currency',
  acl: 'anonymous',
  summary: 'Currencies and rates of the website',
  name: 'getCurrency',
  description: `The base currency of the website, the currency of the store view, and what one unit of base is in
    each. With \`/rest/all\` those of the first website.`,
  outcomes: [],
  response: z.object({
    base_currency_code: z.string(),
    base_currency_symbol: z.string(),
    default_display_currency_code: z.string(),
    default_display_currency_symbol: z.string(),
    available_currency_codes: z.array(z.string()),
    exchange_rates: z.array(z.object({ currency_to: z.string(), rate: z.number() })),
  }),

  async handle({ em, store }) {
    const views = (await readStoreViews(em)).filter((view) => view.storeId > 0);
    const current = views.find((view) => view.storeId === store.storeId) ?? views[0];
    const base = current?.website.baseCurrencyCode ?? 'USD';
    const display = current?.currencyCode ?? base;
    const rates = new Map([[base, 1]]);
    for (const view of views)
      if (view.websiteId === current?.websiteId) rates.set(view.currencyCode, Number(view.currencyRate));
    return {
      base_currency_code: base,
      base_currency_symbol: symbolOf(base),
      default_display_currency_code: display,
      default_display_currency_symbol: symbolOf(display),
      available_currency_codes: [...rates.keys()],
      exchange_rates: [...rates].map(([currency_to, rate]) => ({ currency_to, rate })),
    };
  },
});

const symbolOf = (currency: string) =>
  currencyFormat(currency)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

const countryAnswer = z
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
function countryRenderer(locale: string) {
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

/** One country by its two letters (platform facts 9.6). */
export const getCountry = route({
  method: 'GET',
  path: '/V1/directory/countries/:countryId',
  acl: 'anonymous',
  summary: 'One country',
  name: 'getCountry',
  description: 'By its two letters, in either case.',
  outcomes: [countryNotAvailable],
  params: z.object({ countryId: z.string() }),
  response: countryAnswer,

  async handle({ em, store, params: { countryId } }) {
    const country = findCountry(countryId.toUpperCase());
    if (!country) throw countryNotAvailable();
    const view = (await readStoreViews(em)).find((one) => one.storeId === store.storeId);
    return countryRenderer(view?.locale ?? 'en_US')(country);
  },
});

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
    const view = (await readStoreViews(em)).find((one) => one.storeId === store.storeId);
    return countries.map(countryRenderer(view?.locale ?? 'en_US'));
  },
});
