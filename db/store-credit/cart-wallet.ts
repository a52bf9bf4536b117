import type { EntityManager } from '@mikro-orm/postgresql';
import { zero, type Amount } from '../../domain/money/amount.ts';
import { readCreditScope } from '../credit-stores/read-credit-scope.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { Wallet } from './wallet.entity.ts';

/**
 * The wallet that can pay a cart. Its balance is zero where there is none, where it has another currency, or where
 * the merchant disabled store credit.
 */
export interface CartWallet {
  balance: Amount;
  currencyCode: string;
}

interface WalletOwner {
  /** Null: a guest, who has no wallet. */
  customerId: number | null;
  websiteId: number;
  storeId: number;
  baseCurrencyCode: string;
}

const wording = {
  takes: { customerId: integer, websiteId: integer },
  gives: of(Wallet, 'amount', 'baseCurrencyCode'),
};

const walletText = `
  select amount, base_currency_code from store_credit_wallet where customer_id = $customerId and website_id = $websiteId`;

const read = statement({ ...wording, text: walletText });
const lock = statement({ ...wording, text: `${walletText} for update` });

/** @param isBinding locks the wallet until the transaction ends, and reads it then */
export async function readCartWallet(
  em: EntityManager,
  { customerId, websiteId, storeId, baseCurrencyCode }: WalletOwner,
  { isBinding }: { isBinding: boolean },
): Promise<CartWallet> {
  const row = customerId === null ? undefined : await (isBinding ? lock : read).first(em, { customerId, websiteId });
  const isOurs = row?.baseCurrencyCode === baseCurrencyCode;
  const balance = row && isOurs && (await isTaken(em, storeId)) ? row.amount : zero;
  return { balance, currencyCode: baseCurrencyCode };
}

const isTaken = async (em: EntityManager, storeId: number): Promise<boolean> =>
  (await readCreditScope(em, storeId)).settings.flag('vendor_store_credit/general/enabled');
