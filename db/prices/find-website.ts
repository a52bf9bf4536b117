import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { Website } from '../platform/stores/website.entity.ts';
import { text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';

export type FoundWebsite = RowFrom<typeof find>;

/** The website with this code; without a code the default website. Refused with 404 for an unknown code. */
export async function findWebsite(em: EntityManager, code = ''): Promise<FoundWebsite> {
  const website = await find.first(em, { code });
  if (!website) throw notFound('No website has the code %1.', [code]);
  return website;
}

const find = statement({
  takes: { code: text },
  gives: of(Website, 'websiteId', 'code', 'baseCurrencyCode'),
  text: `
    select website_id, code, base_currency_code from website
    where website_id > 0 and $code in ('', code)
    order by is_default desc, website_id limit 1`,
});
