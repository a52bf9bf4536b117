import type { EntityManager } from '@mikro-orm/postgresql';
import type { SubscriptionWish } from '../../../db/platform/newsletter/keep-subscription.ts';
import type { RouteContext } from '../../http/route.ts';

/** How a subscriber is asked to confirm: the platform only knows this hook. */
export interface SubscriberHooks {
  /** In the transaction of the save; returns what must be sent after the commit. */
  ask(em: EntityManager, subscriberId: number): Promise<number | undefined>;
  /** After the commit; the route does not wait for it. */
  send(asked: number, around: Pick<RouteContext, 'workflows' | 'log'>): void;
}

/** The newsletter's part of a save: the wish, and `tell` for after the commit. */
export function subscriptionWish(hooks: SubscriberHooks, wantsNewsletter: boolean | undefined) {
  let asked: number | undefined;
  const newsletter: SubscriptionWish = {
    wantsNewsletter,
    ask: async (em, subscriberId) => {
      asked = await hooks.ask(em, subscriberId);
    },
  };
  const signalListener = (around: Pick<RouteContext, 'workflows' | 'log'>) => {
    if (asked !== undefined) hooks.send(asked, around);
  };
  return { newsletter, tell: signalListener };
}
