import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';

/** A location as its table has it; percentages are decimal text, moments are text. */
export interface LocationRow {
  location_id: number;
  name: string;
  code: string;
  street: string | null;
  city: string | null;
  region: string | null;
  region_id: number | null;
  postcode: string | null;
  country_id: string | null;
  phone: string | null;
  vat_number: string | null;
  website_id: number;
  store_view_id: number | null;
  source_code: string | null;
  damaged_stock_source_code: string | null;
  is_active: boolean;
  payment_methods: string | null;
  card_payment_provider: string | null;
  pickup_completed_status_code: string | null;
  receipt_store_info_placement: string | null;
  allow_store_credit: number | null;
  low_stock_threshold: number | null;
  receipt_logo_size: number | null;
  layaway_expiry_days: number | null;
  layaway_deposit_min_percent: string | null;
  layaway_cancellation_fee_percent: string | null;
  tax_use_address: boolean;
  address_use_storeview: boolean;
  use_msi: boolean | null;
  receipt_header: string | null;
  receipt_footer: string | null;
  receipt_show_staff_name: boolean | null;
  receipt_show_order_number: boolean | null;
  staff_name_format: string | null;
  customer_validators: string | null;
  config_overrides: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/** One location. Refused with: 404 unknown id. */
export async function findLocation(em: EntityManager, locationId: number): Promise<LocationRow> {
  const [row] = await em.execute<LocationRow[]>('select * from pos_location where location_id = ?', [locationId]);
  if (!row) throw noSuchLocation(locationId);
  return row;
}

export const noSuchLocation = (locationId: number) => notFound('Location with id %1 does not exist', [locationId]);

/** One location by its code. Refused with: 404 unknown code. */
export async function findLocationByCode(em: EntityManager, code: string): Promise<LocationRow> {
  const [row] = await em.execute<LocationRow[]>('select * from pos_location where code = ?', [code]);
  if (!row) throw notFound('Location with code %1 does not exist', [code]);
  return row;
}
