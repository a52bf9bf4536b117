import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/**
 * Sends a test message to one endpoint, on the way and with the signatures of every event. Each call sends one; an
 * endpoint that is off gets it when it is on again.
 *
 * @returns the number of the event
 */
export async function pingEndpoint(em: EntityManager, endpointId: number): Promise<number> {
  const { eventId = 0 } = (await ping.first(em, { endpointId })) ?? {};
  return eventId;
}

const ping = sql('ping-endpoint.ping')`
  insert into pos_event (type, object_kind, object_id, facts)
  select 'endpoint.ping', 'endpoint', endpoint_id::text,
    jsonb_build_object('description', description, 'failing_since', null, 'reason', null)
  from webhook_endpoint where endpoint_id = $endpointId
  returning event_id`;
