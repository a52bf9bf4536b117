import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../domain/errors.ts';
import { formatAmount, formatQuantity, type Amount, type Quantity } from '../../domain/money.ts';
import { skuKey } from '../../domain/platform/catalog/tier-rows.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { skuKeyOf } from '../support/columns.ts';
import { json } from '../support/entity-columns.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';

/** One line of a list of contract prices. */
export interface ContractLine {
  /** Its line number in the list, for refusals. */
  line: number;
  /** The customer's id or e-mail. */
  customer: string;
  sku: string;
  qty: Quantity;
  /** In the base currency of the website. Null: the step ends. */
  price: Amount | null;
}

export interface PriceList {
  websiteId: number;
  lines: readonly ContractLine[];
  /** The customers of the list lose their other contract prices on the website. */
  replaces: boolean;
  /** For the audit trail. */
  name: string;
}

export interface Loaded {
  /** Written prices: new or changed. */
  saved: number;
  removed: number;
  /** SKUs that the catalog does not have yet. */
  unknownSkus: string[];
}

/** Lines per statement, so that a long list needs no more memory. */
const batch = 5_000;
/** The most errors reported. */
const mostNamed = 10;

/**
 * Loads a list of contract prices, all or nothing, with one audit entry (spec 4.5). The same list again changes
 * nothing.
 *
 * Refused with 400: an unknown customer, or the same step twice, with their line numbers.
 */
export const loadContractPrices = (em: EntityManager, list: PriceList): Promise<Loaded> =>
  transact(em, async (tx) => {
    const found = await resolveLines(tx, list);
    refuseUnknown(list.lines, found);
    refuseTwice(found);
    const customerIds = [...new Set(found.flatMap(({ customerId }) => customerId ?? []))];
    // Loads for the same website run one after the other.
    await lockAdvisory(tx, `contract prices ${list.websiteId}`);
    const rows = found.map((row) => ({ ...row, websiteId: list.websiteId }));
    let removed = list.replaces
      ? await removeOthers.run(tx, { websiteId: list.websiteId, customerIds, rows: wireOf(rows) })
      : 0;
    let saved = 0;
    for (let at = 0; at < rows.length; at += batch) {
      const wire = wireOf(rows.slice(at, at + batch));
      const ended = wire.filter(({ price }) => price === null);
      if (ended.length > 0) removed += await removeEnded.run(tx, { websiteId: list.websiteId, rows: ended });
      saved += await save.run(tx, { websiteId: list.websiteId, rows: wire });
    }
    if (saved + removed > 0)
      await recordAudit(tx, {
        entityType: 'contract_prices',
        entityId: list.websiteId,
        entityName: list.name.slice(0, 255),
        fieldName: 'prices',
        newValue: `${saved} saved, ${removed} removed`,
        changeSource: 'admin',
      });
    const unknownSkus = [...new Set(found.filter(({ isInCatalog }) => !isInCatalog).map(({ sku }) => sku))];
    return { saved, removed, unknownSkus };
  });

type FoundLine = ContractLine & { customerId: number | null; isInCatalog: boolean };

async function resolveLines(em: EntityManager, { lines, websiteId }: PriceList): Promise<FoundLine[]> {
  const found: FoundLine[] = [];
  for (let at = 0; at < lines.length; at += batch) {
    const part = lines.slice(at, at + batch);
    const rows = part.map(({ customer, sku }, place) => ({ place, customer, sku }));
    for (const { place, customerId, isInCatalog } of await resolve.all(em, { websiteId, rows })) {
      const line = part[place];
      if (line) found.push({ ...line, customerId, isInCatalog });
    }
  }
  return found;
}

/** An e-mail is an account of this website; an id may be of any website. */
const resolve = sql('load-contract-prices.resolve', {
  takes: { rows: json<readonly { place: number; customer: string; sku: string }[]>() },
})`
  select r.place, coalesce(i.id, e.id) as customer_id, p.sku is not null as is_in_catalog
  from jsonb_to_recordset($rows::jsonb) as r (place integer, customer text, sku text)
  left join customer i on i.id = case when r.customer ~ '^[0-9]{1,15}$' then r.customer::bigint end
  left join customer e on e.website_id = $websiteId and lower(e.email) = lower(r.customer)
  left join product p on ${skuKeyOf('p.sku')} = ${skuKeyOf('r.sku')}
  order by r.place`;

function refuseUnknown(lines: readonly ContractLine[], found: readonly FoundLine[]): void {
  const unknown = found.filter(({ customerId }) => customerId === null);
  if (unknown.length > 0)
    throw invalid('%1 of %2 lines name an unknown customer: line %3.', [
      unknown.length,
      lines.length,
      lineList(unknown.map(({ line }) => line)),
    ]);
}

function refuseTwice(found: readonly FoundLine[]): void {
  const first = new Map<string, number>();
  for (const { customerId, sku, qty, line } of found) {
    const key = JSON.stringify([customerId, skuKey(sku), qty]);
    const before = first.get(key);
    if (before !== undefined) throw invalid('Lines %1 and %2 are of one customer, SKU and quantity.', [before, line]);
    first.set(key, line);
  }
}

const lineList = (lines: readonly number[]) =>
  lines.slice(0, mostNamed).join(', ') + (lines.length > mostNamed ? ' and others' : '');

interface WireLine {
  customer_id: number | null;
  sku: string;
  qty: string;
  price: string | null;
}

const wireOf = (lines: readonly FoundLine[]): WireLine[] =>
  lines.map(({ customerId, sku, qty, price }) => ({
    customer_id: customerId,
    sku,
    qty: formatQuantity(qty),
    price: price === null ? null : formatAmount(price),
  }));

const postedRows = `jsonb_to_recordset($rows::jsonb) as r (customer_id bigint, sku text, qty numeric, price numeric)`;
const isLine = `c.customer_id = r.customer_id and ${skuKeyOf('c.sku')} = ${skuKeyOf('r.sku')} and c.qty = r.qty`;

const removeOthers = sql('load-contract-prices.removeOthers', {
  takes: { customerIds: json<readonly number[]>(), rows: json<readonly WireLine[]>() },
})`
  delete from pos_contract_price c
  where c.website_id = $websiteId
    and c.customer_id in (select value::bigint from jsonb_array_elements_text($customerIds::jsonb))
    and not exists (select from ${postedRows} where ${isLine})`;

const removeEnded = sql('load-contract-prices.removeEnded', { takes: { rows: json<readonly WireLine[]>() } })`
  delete from pos_contract_price c using ${postedRows}
  where c.website_id = $websiteId and ${isLine}`;

const save = sql('load-contract-prices.save', { takes: { rows: json<readonly WireLine[]>() } })`
  insert into pos_contract_price as c (customer_id, website_id, sku, qty, price)
  select r.customer_id, $websiteId, r.sku, r.qty, r.price from ${postedRows} where r.price is not null
  on conflict (customer_id, website_id, ${skuKeyOf('sku')}, qty) do update set price = excluded.price,
    updated_at = now()
    where c.price <> excluded.price`;

export type FoundWebsite = RowFrom<typeof selectContractPrices>;

/** The website with this code; without a code the default website. Refused with 404 for an unknown code. */
export async function findWebsite(em: EntityManager, code = ''): Promise<FoundWebsite> {
  const website = await selectContractPrices.first(em, { code });
  if (!website) throw notFound('No website has the code %1.', [code]);
  return website;
}

const selectContractPrices = sql('load-contract-prices.selectContractPrices')`
  select website_id, code, base_currency_code from website
  where website_id > 0 and $code in ('', code)
  order by is_default desc, website_id limit 1`;
