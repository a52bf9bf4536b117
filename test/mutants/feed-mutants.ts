import type { Mutant } from './mutant.ts';

const feeds = 'test/api/customers/offline-feeds.test.ts';
const profile = 'test/api/customers/offline-feeds.test.ts';
const insights = 'test/api/customers/create-customer.test.ts';
const reindex = 'test/db/platform/catalog-rules/catalog-rules.test.ts';
const prices = 'db/platform/catalog-rules/reindex-due.ts';

/** What a register sells by without a line, and what it shows of a customer. */
export const feedMutants: readonly Mutant[] = [
  {
    id: 'F01',
    mistake: 'a new day is no change while nobody has indexed',
    patches: [
      {
        file: 'domain/platform/stock-rules.ts',
        find: 'indexedAt !== null && day === today &&',
        replace: 'indexedAt !== null && (day === today || day !== null) &&',
      },
    ],
    killedBy: [feeds],
  },
  {
    id: 'F02',
    mistake: 'the day moves on and indexed_at stays',
    patches: [
      {
        file: 'db/platform/catalog-rules/reindex-due.ts',
        find: "greatest(date_trunc('milliseconds', $now::timestamptz), i.indexed_at + interval '1 millisecond')",
        replace: 'i.indexed_at',
      },
    ],
    killedBy: [feeds],
  },
  {
    id: 'F03',
    mistake: 'a rule goes on behind one that ends the chain',
    sql: `create or replace function catalog_rule_price(price numeric, actions text[], amounts numeric[], stops
      boolean[], decimals integer)
      returns numeric language plpgsql immutable strict as $$
      declare running numeric := price;
      begin
        for at in 1 .. cardinality(actions) loop
          running := round(case actions[at] when 'to_fixed' then least(amounts[at], running)
            when 'to_percent' then running * amounts[at] / 100 when 'by_fixed' then greatest(running - amounts[at], 0)
            else running * (1 - amounts[at] / 100) end, decimals);
        end loop;
        return running;
      end $$`,
    killedBy: [reindex],
  },
  {
    id: 'F04',
    mistake: 'the day of a website is that of Greenwich',
    patches: [
      {
        file: 'db/platform/catalog-rules/reindex-due.ts',
        find: '($now::timestamptz at time zone time_zone)::date',
        replace: "($now::timestamptz at time zone 'UTC')::date",
      },
    ],
    killedBy: [reindex],
  },
  {
    id: 'F05',
    mistake: 'a price that no rule makes any more stays',
    patches: [
      {
        file: prices,
        find: 'and not exists (\n      select from wanted w',
        replace: 'and false and not exists (\n      select from wanted w',
      },
    ],
    killedBy: [reindex],
  },
  {
    id: 'F06',
    mistake: 'a batch takes the whole list with it',
    patches: [
      {
        file: 'db/platform/catalog-rules/reindex-due.ts',
        find: '    const left = await stillDue.first(tx);',
        replace: '    await dropAll.run(tx);\n    const left = await stillDue.first(tx);',
      },
      {
        file: 'db/platform/catalog-rules/reindex-due.ts',
        find: "const stillDue = sql('reindex-due.stillDue')`",
        replace:
          "const dropAll = { run: (em: EntityManager) => em.execute('delete from catalog_rule_due') };\n\nconst stillDue = sql('reindex-due.stillDue')`",
      },
    ],
    killedBy: [reindex],
  },
  {
    id: 'F07',
    mistake: 'fixed taxes of another website are sent too',
    patches: [
      {
        file: 'db/platform/catalog/save-fixed-product-taxes.ts',
        find: 'where t.website_id in (0, $websiteId) and',
        replace: 'where t.website_id >= least(0, $websiteId) and',
      },
    ],
    killedBy: [feeds],
  },
  {
    id: 'F08',
    mistake: 'fixed taxes are sent where the shop charges none',
    patches: [
      {
        file: 'api/customers/feed-routes.ts',
        find: 'if (!isCharged) return { ...head, rows: [] };',
        replace: '',
      },
    ],
    killedBy: [feeds],
  },
  {
    id: 'FL01',
    mistake: 'a layaway uses up the credit limit',
    patches: [
      {
        file: 'db/credit-limits/read-credit-standing.ts',
        find: 'and o.pos_layaway_status is null and',
        replace: 'and',
      },
      {
        file: 'db/credit-limits/read-credit-standing.ts',
        find: 'when coalesce(o.pos_credit_due, 0) > 0',
        replace: 'when coalesce(o.pos_credit_due, 0) > 0 or o.pos_layaway_status is not null',
      },
    ],
    killedBy: [profile],
  },
  {
    id: 'FL02',
    mistake: 'an order on invoice counts only once it has its invoice',
    patches: [
      {
        file: 'db/credit-limits/read-credit-standing.ts',
        find: 'or (p.method = $payByInvoiceMethod and o.base_total_canceled = 0)',
        replace: 'or (p.method = $payByInvoiceMethod and false)',
      },
    ],
    killedBy: [profile],
  },
  {
    id: 'FL03',
    mistake: 'an open invoice counts in full, whatever was paid of it',
    patches: [
      {
        file: 'db/credit-limits/read-credit-standing.ts',
        find: 'o.base_total_canceled = 0) then o.base_total_due',
        replace: 'o.base_total_canceled = 0) then o.base_grand_total',
      },
    ],
    killedBy: [profile],
  },
  {
    id: 'FL04',
    mistake: 'customer 0 is told what everybody used',
    patches: [
      {
        file: 'db/platform/sales-rules/search-sales-rules.ts',
        find: 'and $customerId > 0 and (',
        replace: 'and (',
      },
    ],
    killedBy: [profile],
  },
  {
    id: 'FL05',
    mistake: 'a wish is taken off the list of its owner',
    patches: [
      {
        file: 'db/platform/wishlists/remove-wish.ts',
        find: 'em.nativeDelete(WishlistItem, { customerId, wishlistItemId })',
        replace: 'em.nativeDelete(WishlistItem, { customerId: { $gt: Math.min(customerId, 0) }, wishlistItemId })',
      },
    ],
    killedBy: [profile],
  },
  {
    id: 'FL06',
    mistake: 'a provider of insights that fails takes the profile with it',
    patches: [
      {
        file: 'providers/insights.ts',
        find: "        log.warn({ provider: provider.code, error }, 'a provider of insights was skipped');\n        return [];",
        replace: '        throw error;',
      },
    ],
    killedBy: [insights],
  },
  {
    id: 'FL07',
    mistake: 'what a provider of insights answers is shown as it is',
    patches: [
      {
        file: 'providers/insights.ts',
        find: 'insightSections.parse(reply).map(',
        replace: 'reply.map(',
      },
    ],
    killedBy: ['test/providers/insights/insights.test.ts'],
  },
  {
    id: 'FL08',
    mistake: 'what a price resolver answers is a price whatever it is',
    patches: [
      {
        file: 'providers/prices.ts',
        find: 'for (const price of prices.values()) mustBePrice(price);',
        replace: '',
      },
    ],
    killedBy: ['test/api/customers/ask-customer-prices.test.ts'],
    named: '^(?:ask customer prices) ',
  },
  {
    id: 'FL09',
    mistake: 'a purchase that came back whole is a favourite',
    patches: [
      {
        file: 'db/insights.ts',
        find: 'having sum(i.qty_ordered - i.qty_refunded - i.qty_canceled) > 0',
        replace: '',
      },
    ],
    killedBy: [insights],
  },
  {
    id: 'FL10',
    mistake: 'a shop without rules has nothing to send back',
    patches: [
      {
        file: 'db/platform/catalog-rules/reindex-due.ts',
        find: "date_trunc('milliseconds', $now::timestamptz)\n    from website",
        replace: 'null\n    from website',
      },
    ],
    killedBy: [feeds],
  },
];
