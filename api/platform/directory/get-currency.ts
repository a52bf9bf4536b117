import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { currencyFormat } from '../../../domain/money/currency-format.ts';
import { route } from '../../http/route.ts';

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
    const views = (await readStoreViews(em)).filter((view) => view.store_id > 0);
    const current = views.find((view) => view.store_id === store.storeId) ?? views[0];
    const base = current?.base_currency_code ?? 'USD';
    const display = current?.currency_code ?? base;
    const rates = new Map([[base, 1]]);
    for (const view of views)
      if (view.website_id === current?.website_id) rates.set(view.currency_code, Number(view.currency_rate));
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
