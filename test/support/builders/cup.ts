import type { TestApi } from '../api.ts';

/** The options of the `CUP`, as an administrator sends them, by a short name. */
const sent = {
  engraving: { type: 'field', price: 5, price_type: 'fixed', sku: 'ENGR', max_characters: 10 },
  glaze: {
    ...{ type: 'drop_down', is_require: true },
    values: [
      { title: 'Blue', price: 2, price_type: 'fixed', sku: 'BLUE', sort_order: 1 },
      { title: 'Gold', price: 10, price_type: 'percent', sku: 'GOLD', sort_order: 2 },
    ],
  },
  extras: {
    type: 'checkbox',
    values: [
      { title: 'Box', price: 3, price_type: 'fixed', sku: 'BOX', sort_order: 1 },
      { title: 'Second choice', price: -1, price_type: 'fixed', sort_order: 2 },
    ],
  },
  day: { type: 'date', price: 0, price_type: 'fixed' },
  moment: { type: 'date_time', price: 0, price_type: 'fixed' },
  hour: { type: 'time', price: 0, price_type: 'fixed' },
  picture: { type: 'file', price: 0, price_type: 'fixed' },
} as const;

export type OptionName = keyof typeof sent;

/** What is entered, by the name of the option; of a choice the titles of values. */
export type Entered = Partial<Record<OptionName, string | readonly string[]>>;

export interface Cup {
  sku: string;
  /** The ids of the options, and of the values by their titles. */
  ids: Record<OptionName, number>;
  values: Record<string, number>;
  /** `product_option`, as a register or a shop sends it. */
  enter: (entered: Entered) => { extension_attributes: { custom_options: SentOption[] } };
}

interface SentOption {
  option_id: string;
  option_value: string;
}

/** Makes a cup at 40, of which twenty lie on the floor: with an engraving, a glaze that must be chosen, and extras. */
export async function aCup(api: TestApi, sku = 'CUP'): Promise<Cup> {
  const admin = (method: string, path: string, body: unknown) =>
    api.call(method, path, { token: api.tokens.admin, body });
  const options = Object.entries(sent).map(([title, option], at) => ({ title, sort_order: at, ...option }));
  const extension_attributes = { website_ids: [1] };
  const product = { sku, name: `Cup ${sku}`, price: 40, weight: 0.3, extension_attributes, options };
  const { body } = await admin('POST', '/V1/products', { product });
  const sourceItems = [{ sku, source_code: 'floor', quantity: 20, status: 1 }];
  await admin('POST', '/V1/inventory/source-items', { sourceItems });
  const ids: Record<string, number> = {};
  const values: Record<string, number> = {};
  for (const { title, option_id: id, values: chosen = [] } of body.options) {
    ids[title] = id;
    for (const value of chosen) values[value.title] = value.option_type_id;
  }
  return {
    ...{ sku, ids: ids as Cup['ids'], values },
    enter: (entered) => ({
      extension_attributes: {
        custom_options: Object.entries(entered).map(([name, value]) => ({
          option_id: String(ids[name]),
          option_value: typeof value === 'string' ? value : value.map((title) => values[title]).join(','),
        })),
      },
    }),
  };
}
