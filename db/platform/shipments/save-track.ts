import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchDocument } from '../../../domain/errors.ts';
import { integer, json, orNull, quantity, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { SheetRow } from '../orders/sheet-row.ts';
import type { PostedTrack } from './create-shipment.ts';

/** A parcel as a caller saves it: a new one of a shipment, or with its id an existing one. */
export interface TrackToSave extends PostedTrack {
  entityId?: number | undefined;
  /** The shipment. */
  parentId: number;
  orderId: number;
}

/**
 * Saves a parcel of a shipment (platform facts 5.5). With an id a repeat leaves the same parcel; without one it adds
 * another.
 *
 * Refused with: 400 a shipment of another order, no number · 404 an unknown parcel.
 */
export async function saveTrack(em: EntityManager, track: TrackToSave): Promise<SheetRow> {
  const { entityId, parentId, orderId, trackNumber, title, carrierCode } = track;
  if (trackNumber === '') throw couldNotSave();
  const { description = null, weight = null, qty = null } = track;
  const words = { parentId, orderId, trackNumber, title, carrierCode, description, weight, qty };
  if (entityId === undefined) {
    const made = await insert.first(em, words);
    if (!made) throw couldNotSave();
    return made.track;
  }
  const changed = await update.first(em, { ...words, entityId });
  if (!changed) throw noSuchDocument();
  return changed.track;
}

const couldNotSave = () => invalid('Could not save the shipment tracking.');

const words = {
  parentId: integer,
  orderId: integer,
  trackNumber: text,
  title: text,
  carrierCode: text,
  description: orNull(text),
  weight: orNull(quantity),
  qty: orNull(quantity),
};

const insert = statement({
  takes: words,
  gives: { track: json<SheetRow>() },
  text: `
    with track as (
      insert into sales_shipment_track
        (parent_id, order_id, track_number, title, carrier_code, description, weight, qty, created_at, updated_at)
      select s.entity_id, s.order_id, $trackNumber, $title, $carrierCode, $description, $weight, $qty, now(), now()
      from sales_shipment s where s.entity_id = $parentId and s.order_id = $orderId
      returning *)
    select to_json(track) as track from track`,
});

const update = statement({
  takes: { ...words, entityId: integer },
  gives: { track: json<SheetRow>() },
  text: `
    with track as (
      update sales_shipment_track set track_number = $trackNumber, title = $title, carrier_code = $carrierCode,
        description = coalesce($description, description), weight = coalesce($weight, weight), qty = coalesce($qty, qty),
        updated_at = now()
      where entity_id = $entityId and parent_id = $parentId and order_id = $orderId
      returning *)
    select to_json(track) as track from track`,
});

/** Removes a parcel from its shipment. Refused with 404: an unknown parcel, and so a repeat. */
export async function deleteTrack(em: EntityManager, trackId: number): Promise<void> {
  if ((await drop.run(em, { trackId })) === 0) throw noSuchDocument();
}

const drop = statement({
  takes: { trackId: integer },
  text: 'delete from sales_shipment_track where entity_id = $trackId',
});
