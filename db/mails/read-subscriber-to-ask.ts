import type { EntityManager } from '@mikro-orm/postgresql';
import { notActive } from '../../domain/platform/newsletter/subscription.ts';
import { findAskedSubscriber, type AskedSubscriber } from '../platform/newsletter/confirm-subscription.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';

/** A subscriber who must confirm the newsletter. */
export interface SubscriberToAsk extends AskedSubscriber {
  shopName: string;
}

/** Undefined for a subscriber who has confirmed or unsubscribed meanwhile. Reads only. */
export async function readSubscriberToAsk(
  em: EntityManager,
  subscriberId: number,
): Promise<SubscriberToAsk | undefined> {
  const asked = await findAskedSubscriber(em, subscriberId);
  if (asked?.status !== notActive) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', asked.storeId);
  return { ...asked, shopName: shopName === '' ? asked.storeName : shopName };
}
