import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Shipment } from './shipment.entity.ts';

/** The carrier's label of a shipment; null where none was saved. Refused with: 404 unknown shipment. */
export async function readShipmentLabel(em: EntityManager, shipmentId: number): Promise<string | null> {
  const found = await read.first(em, { shipmentId });
  if (!found) throw noSuchDocument();
  return found.shippingLabel;
}

const read = statement({
  takes: { shipmentId: integer },
  gives: of(Shipment, 'shippingLabel'),
  text: 'select shipping_label from sales_shipment where entity_id = $shipmentId',
});

/** Keeps a label with its shipment. A repeat keeps the same one. Refused with: 404 unknown shipment. */
export async function keepShipmentLabel(
  em: EntityManager,
  label: { shipmentId: number; shippingLabel: string },
): Promise<void> {
  if ((await keep.run(em, label)) === 0) throw noSuchDocument();
}

const keep = statement({
  takes: { shipmentId: integer, shippingLabel: text },
  text: `
    update sales_shipment set shipping_label = $shippingLabel, updated_at = now() where entity_id = $shipmentId`,
});
