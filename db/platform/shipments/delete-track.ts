import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { ShipmentTrack } from './shipment.entity.ts';

/** Removes a parcel from its shipment. Refused with 404: an unknown parcel, and so a repeat. */
export async function deleteTrack(em: EntityManager, trackId: number): Promise<void> {
  if ((await em.nativeDelete(ShipmentTrack, { entityId: trackId })) === 0) throw noSuchDocument();
}
