import type { EntityManager } from '@mikro-orm/postgresql';
import { readConfigValue } from '../../../db/platform/stores/read-config-value.ts';
import { invalid } from '../../../domain/errors.ts';
import type { CsvRow, Form, ImportKind, OpenImport, Origin, Reading } from '../read-rows.ts';
import { shopifyCustomers, shopifyProducts } from './shopify.ts';
import { squareCustomers, squareItems } from './square.ts';
import { wooCommerceProducts } from './woocommerce.ts';

type OpenForm = (columns: readonly string[], country: string) => Form;

const forms: Readonly<Record<Exclude<Origin, 'platform'>, Readonly<Record<string, OpenForm>>>> = {
  shopify: { products: shopifyProducts, customers: shopifyCustomers },
  woocommerce: { products: wooCommerceProducts },
  square: { products: squareItems, customers: squareCustomers },
};

/**
 * The kind that reads rows of another system's export. The platform's own export is read by the kinds themselves.
 * Refused with 400: the system has no such export.
 */
export function kindFrom(what: string, kind: ImportKind, origin: Origin | undefined): ImportKind {
  if (origin === undefined || origin === 'platform') return kind;
  const openForm = forms[origin][what];
  if (!openForm) throw invalid('No export of %1 by %2 is known here.', [what, origin]);
  return {
    columns: [],
    async open(em, columns, options) {
      const form = openForm(columns, what === 'customers' ? await countryOf(em) : '');
      const missing = form.columns.filter((names) => !names.some((name) => columns.includes(name)));
      if (missing.length > 0)
        throw invalid('This is no export of %1: it has no column %2.', [
          origin,
          missing.map(([name]) => name).join(', '),
        ]);
      const open = await kind.open(em, form.gives, options);
      const leftOut = columns.flatMap((column): [string, string][] => {
        const why = form.leftOut(column);
        return why === undefined ? [] : [[column, why]];
      });
      return {
        leftOut: new Map(leftOut),
        begin: () => open.begin?.(),
        learn: (row) => form.learn?.(row),
        read: (row) => readBy(form, open, row),
      };
    },
  };
}

function readBy(form: Form, open: OpenImport, row: CsvRow): Reading {
  const input = form.read(row);
  if ('leftOut' in input) return input;
  const { cells, notes = [] } = input;
  const whole: CsvRow = Object.fromEntries(form.gives.map((column) => [column, cells[column] ?? '']));
  const reading = open.read(whole);
  if ('leftOut' in reading) return reading;
  const columns = [...open.leftOut].flatMap(([column, why]) => (whole[column] ? [`${column}: ${why}`] : []));
  return {
    ...reading,
    // In its shop each row is a good: two rows with one SKU are two goods.
    ...(form.areGoods ? { claim: JSON.stringify(row) } : {}),
    save: async (em) => [...(await reading.save(em)), ...notes, ...columns],
  };
}

const countryOf = async (em: EntityManager) =>
  (await readConfigValue(em, 'general/store_information/country_id', { storeId: 0, websiteId: 0 })) ?? '';
