import type { EntityManager } from '@mikro-orm/postgresql';
import { money, zero, type Amount } from '../../domain/money/amount.ts';
import { readCreditScope } from '../credits/read-credit-scope.ts';
import { query } from '../support/query.ts';

/**
 * The wallet a cart can be paid from; nothing in it where there is none, where it is in another currency, or where the
 * merchant has store credit switched off.
 */
export interface CartWallet {
  balance: Amount;
  currencyCode: string;
}

interface WalletOwner {
  customerId: number;
  websiteId: number;
  storeId: number;
  baseCurrencyCode: string;
}

const walletText = `
select amount, base_currency_code from store_credit_wallet where customer_id = $1 and website_id = $2`;

/** @param isBinding locks the wallet until the transaction ends, and reads it then */
export async function readCartWallet(
  em: EntityManager,
  { customerId, websiteId, storeId, baseCurrencyCode }: WalletOwner,
  { isBinding }: { isBinding: boolean },
): Promise<CartWallet> {
  const text = isBinding ? `${walletText} for update` : walletText;
  const [row] = await query<{ amount: string; base_currency_code: string }>(em, text, [customerId, websiteId]);
  const isOurs = row?.base_currency_code === baseCurrencyCode;
  const balance = row && isOurs && (await isTaken(em, storeId)) ? money(row.amount) : zero;
  return { balance, currencyCode: baseCurrencyCode };
}

const isTaken = async (em: EntityManager, storeId: number): Promise<boolean> =>
  (await readCreditScope(em, storeId)).settings.flag('vendor_store_credit/general/enabled');
