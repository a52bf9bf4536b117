import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { Shipment } from './shipment.entity.ts';

/** The carrier's label of a shipment; null where none was saved. Refused with: 404 unknown shipment. */
export async function readShipmentLabel(em: EntityManager, shipmentId: number): Promise<string | null> {
  const found = await freshReads(em).findOne(Shipment, { entityId: shipmentId }, { fields: ['shippingLabel'] });
  if (!found) throw noSuchDocument();
  return found.shippingLabel ?? null;
}
