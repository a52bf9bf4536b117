import type { EntityManager } from '@mikro-orm/postgresql';
import { linkDays } from '../../../domain/platform/newsletter.ts';
import { definite, text } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import type { SecretBox } from '../../support/secret-box.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { isSameSecret } from '../access/token-digest.ts';
import { StoreView } from '../stores/store.entity.ts';

/** A subscription with a valid link: waiting, or already confirmed by it. */
export type RequestedSubscriber = RowFrom<typeof selectSubscription>;

/** Undefined where the link is not valid. */
export const findRequestedSubscriber = (
  em: EntityManager,
  subscriberId: number,
): Promise<RequestedSubscriber | undefined> => selectSubscription.first(em, { subscriberId, linkDays });

const selectSubscription = sql('confirm-subscription.selectSubscription', {
  gives: { confirmNonce: definite(text), storeName: of(StoreView, 'name').name },
})`
  select n.subscriber_id, n.email, n.status, n.store_id, n.confirm_nonce, v.name as store_name, v.locale
  from newsletter_subscriber n join store_view v using (store_id)
  where n.subscriber_id = $subscriberId and n.confirm_nonce is not null
    and n.confirm_asked_at > now() - make_interval(days => $linkDays)`;

/** Confirms the subscription for the owner of the e-mail. Safe to repeat; a later unsubscribe stays. */
export const confirmSubscription = async (
  em: EntityManager,
  request: Pick<RequestedSubscriber, 'subscriberId' | 'confirmNonce'>,
): Promise<void> => void (await confirm.run(em, { subscriberId: request.subscriberId, nonce: request.confirmNonce }));

const confirm = sql('confirm-subscription.confirm')`
  update newsletter_subscriber set status = 1, updated_at = now()
  where subscriber_id = $subscriberId and confirm_nonce = $nonce and status = 2`;

type Asking = Pick<RequestedSubscriber, 'subscriberId' | 'confirmNonce'>;

/** The proof in a mail's link. Only the mail has it: it is made with the shop's key and not stored. */
const proves = ({ subscriberId, confirmNonce }: Asking) => `${subscriberId} ${confirmNonce}`;
const proofPurpose = 'newsletter link';

/** The path below the shop's public address. */
export const confirmationPath = (box: SecretBox, request: Asking): string =>
  `/newsletter/confirm/${request.subscriberId}/${box.digest(proves(request), proofPurpose)}`;

/** Also for a link that went out before the shop's key changed. */
export const isProofOf = (box: SecretBox, request: Asking, input: string): boolean =>
  box.digests(proves(request), proofPurpose).some((proof) => isSameSecret(proof, input));
