import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, texts } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { isAmongSkus } from '../support/columns.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContractPrice } from './contract-price.entity.ts';

export type ContractStep = RowFrom<typeof selectContractPrices>;

/** A customer's contract prices on a website, for any number of SKUs in one statement. */
export const readContractPrices = (
  em: EntityManager,
  request: { customerId: number; websiteId: number; skus: readonly string[] },
): Promise<ContractStep[]> => selectContractPrices.all(em, request);

const selectContractPrices = statement({
  takes: { customerId: integer, websiteId: integer, skus: texts },
  gives: of(ContractPrice, 'sku', 'qty', 'price'),
  text: `
    select sku, qty, price from pos_contract_price
    where customer_id = $customerId and website_id = $websiteId and ${isAmongSkus('sku')}`,
});
