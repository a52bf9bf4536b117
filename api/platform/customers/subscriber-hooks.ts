import type { EntityManager } from '@mikro-orm/postgresql';
import type { SubscriptionWish } from '../../../db/platform/newsletter/keep-subscription.ts';
import type { Surroundings } from '../../http/route.ts';

/** How somebody who must confirm a subscription is asked: the platform knows only that somebody does it. */
export interface SubscriberHooks {
  /** In the transaction of the save; answers what is to be sent once it is committed. */
  ask(em: EntityManager, subscriberId: number): Promise<number | undefined>;
  /** Once it is committed; nobody waits for it. */
  send(asked: number, around: Pick<Surroundings, 'workflows' | 'log'>): void;
}

/** The newsletter's part of a save: what it wishes, and `tell` for when it is committed. */
export function subscriptionWish(hooks: SubscriberHooks, wantsNewsletter: boolean | undefined) {
  let asked: number | undefined;
  const newsletter: SubscriptionWish = {
    wantsNewsletter,
    ask: async (em, subscriberId) => {
      asked = await hooks.ask(em, subscriberId);
    },
  };
  const tell = (around: Pick<Surroundings, 'workflows' | 'log'>) => {
    if (asked !== undefined) hooks.send(asked, around);
  };
  return { newsletter, tell };
}
