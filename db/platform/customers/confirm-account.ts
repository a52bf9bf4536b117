import type { EntityManager } from '@mikro-orm/postgresql';
import { confirmPath } from '../../../domain/platform/customers.ts';
import { isSet } from '../../../domain/platform/carts/shop-choices.ts';
import { accountAlreadyActive, confirmationTokenNotValid } from '../../../domain/refusals/customers.ts';
import { integer, definite, text } from '../../support/entity-columns.ts';
import type { SecretBox } from '../../support/secret-box.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { isSameSecret } from '../access/token-digest.ts';
import { readConfigValue } from '../stores/read-config-value.ts';

/** Posts the mail that asks an account to confirm its e-mail, in the transaction of its save. */
export type AskAccount = (em: EntityManager, customerId: number) => Promise<void>;

/** Whether the accounts of a store view must confirm their e-mail. */
export const asksAccounts = async (
  em: EntityManager,
  store: { storeId: number; websiteId: number },
): Promise<boolean> => isSet((await readConfigValue(em, confirmPath, store)) ?? '');

/** An account that waits for its e-mail to be confirmed. */
export interface AwaitingAccount {
  customerId: number;
  email: string;
  confirmation: string;
}

/**
 * The key in an account's mail. Only the mail has it: it is made with the shop's key and not stored. It proves one
 * e-mail: a key that went to the former e-mail does not confirm the new one.
 */
export const confirmationKey = (box: SecretBox, account: AwaitingAccount): string =>
  box.digest(wordsOf(account), keyPurpose);

const keyPurpose = 'account confirmation';

const wordsOf = ({ customerId, email, confirmation }: AwaitingAccount) =>
  `${customerId} ${confirmation} ${email.toLowerCase()}`;

/** Whether a key is the one in the account's mail, also in one that went out before the shop's key changed. */
export const isConfirmationKey = (box: SecretBox, account: AwaitingAccount, input: string): boolean =>
  box.digests(wordsOf(account), keyPurpose).some((key) => isSameSecret(key, input));

/**
 * Confirms the e-mail of an account, and with it a newsletter that waited for that (platform facts 8, 11).
 *
 * Of concurrent and repeated calls one succeeds. Refused with 400: the account is active · another key.
 */
export const activateAccount = (
  em: EntityManager,
  { customerId, accepts }: { customerId: number; accepts: (account: AwaitingAccount) => boolean },
): Promise<void> =>
  transact(em, async (tx) => {
    const account = await lock.first(tx, { customerId });
    if (!account) throw accountAlreadyActive();
    if (!accepts(account)) throw confirmationTokenNotValid();
    await confirm.run(tx, { customerId });
    await confirmSubscription.run(tx, { customerId });
  });

/** Undefined for an account that is active, or gone. */
export const findAwaiting = (em: EntityManager, customerId: number): Promise<AwaitingAccount | undefined> =>
  selectAccount.first(em, { customerId });

const gives = { customerId: integer, email: text, confirmation: definite(text) };
const awaiting = `
  select id as customer_id, email, confirmation from customer where id = $customerId and confirmation is not null`;

const selectAccount = sql('confirm-account.selectAccount', { gives })`${awaiting}`;
const lock = sql('confirm-account.lock', { gives })`${awaiting} for update`;

const confirm = sql('confirm-account.confirm')`
  update customer set confirmation = null, updated_at = now() where id = $customerId`;

const confirmSubscription = sql('confirm-account.confirmSubscription')`
  update newsletter_subscriber set status = 1, updated_at = now() where customer_id = $customerId and status = 4`;
