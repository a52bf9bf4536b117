import type { EntityManager } from '@mikro-orm/postgresql';
import { linkDays } from '../../../domain/platform/newsletter/subscription.ts';
import { integer, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { StoreView } from '../stores/store-view.entity.ts';
import { Subscriber } from './subscriber.entity.ts';

/** A subscription with a valid link: waiting, or already confirmed by it. */
export type AskedSubscriber = RowFrom<typeof read>;

/** Undefined where the link is not valid. */
export const findAskedSubscriber = (em: EntityManager, subscriberId: number): Promise<AskedSubscriber | undefined> =>
  read.first(em, { subscriberId, linkDays });

const read = statement({
  takes: { subscriberId: integer, linkDays: integer },
  gives: {
    ...of(Subscriber, 'subscriberId', 'email', 'status', 'storeId'),
    confirmNonce: surely(text),
    storeName: of(StoreView, 'name').name,
    ...of(StoreView, 'locale'),
  },
  text: `
    select n.subscriber_id, n.email, n.status, n.store_id, n.confirm_nonce, v.name as store_name, v.locale
    from newsletter_subscriber n join store_view v using (store_id)
    where n.subscriber_id = $subscriberId and n.confirm_nonce is not null
      and n.confirm_asked_at > now() - make_interval(days => $linkDays)`,
});

/** Confirms the subscription for the owner of the e-mail. Safe to repeat; a later unsubscribe stays. */
export const confirmSubscription = async (
  em: EntityManager,
  asked: Pick<AskedSubscriber, 'subscriberId' | 'confirmNonce'>,
): Promise<void> => void (await confirm.run(em, { subscriberId: asked.subscriberId, nonce: asked.confirmNonce }));

const confirm = statement({
  takes: { subscriberId: integer, nonce: text },
  text: `
    update newsletter_subscriber set status = 1, updated_at = now()
    where subscriber_id = $subscriberId and confirm_nonce = $nonce and status = 2`,
});
