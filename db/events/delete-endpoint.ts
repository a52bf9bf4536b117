import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEndpoint } from './endpoints.ts';
import { WebhookEndpoint } from './event.entity.ts';

/** Deletes an endpoint with its deliveries. Refused with: 404 unknown id, so also a repeat. */
export async function deleteEndpoint(em: EntityManager, endpointId: number): Promise<void> {
  if ((await em.nativeDelete(WebhookEndpoint, { endpointId })) === 0) throw noSuchEndpoint(endpointId);
}
