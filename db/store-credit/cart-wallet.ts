import type { EntityManager } from '@mikro-orm/postgresql';
import { money, zero, type Amount } from '../../domain/money/amount.ts';
import { query } from '../support/query.ts';

/** The wallet a cart can be paid from; nothing in it where there is none, or where it is in another currency. */
export interface CartWallet {
  balance: Amount;
  currencyCode: string;
}

interface WalletOwner {
  customerId: number;
  websiteId: number;
  baseCurrencyCode: string;
}

const walletText = `
select amount, base_currency_code from store_credit_wallet where customer_id = $1 and website_id = $2`;

/** @param isBinding locks the wallet until the transaction ends, and reads it then */
export async function readCartWallet(
  em: EntityManager,
  { customerId, websiteId, baseCurrencyCode }: WalletOwner,
  { isBinding }: { isBinding: boolean },
): Promise<CartWallet> {
  const text = isBinding ? `${walletText} for update` : walletText;
  const [row] = await query<{ amount: string; base_currency_code: string }>(em, text, [customerId, websiteId]);
  const isUsable = row?.base_currency_code === baseCurrencyCode;
  return { balance: row && isUsable ? money(row.amount) : zero, currencyCode: baseCurrencyCode };
}
