import type { EntityManager } from '@mikro-orm/postgresql';
import { isAmongSkus } from '../support/columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

export type ContractStep = RowFrom<typeof selectContractPrices>;

/** A customer's contract prices on a website, for any number of SKUs in one statement. */
export const readContractPrices = (
  em: EntityManager,
  request: { customerId: number; websiteId: number; skus: readonly string[] },
): Promise<ContractStep[]> => selectContractPrices.all(em, request);

const selectContractPrices = sql('read-contract-prices.selectContractPrices')`
  select sku, qty, price from pos_contract_price
  where customer_id = $customerId and website_id = $websiteId and ${isAmongSkus('sku')}`;
