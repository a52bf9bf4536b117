import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';

export const sourceColumns = `
  source_code, name, is_enabled, country_id, region_id, region, city, street, postcode, phone, email, contact_name,
  use_default_carrier_config`;

export interface SourceRow {
  source_code: string;
  name: string;
  is_enabled: boolean;
  country_id: string;
  region_id: number | null;
  region: string | null;
  city: string | null;
  street: string | null;
  postcode: string | null;
  phone: string | null;
  email: string | null;
  contact_name: string | null;
  use_default_carrier_config: boolean;
}

/** Refused with 404: an unknown source. */
export async function readSource(em: EntityManager, sourceCode: string): Promise<SourceRow> {
  const [row] = await em.execute<SourceRow[]>(`select ${sourceColumns} from inventory_source where source_code = ?`, [
    sourceCode,
  ]);
  if (!row) throw notFound('Source with code "%value" does not exist.', { value: sourceCode });
  return row;
}

/** Of the codes asked for, those there are. */
export async function existingSources(em: EntityManager, codes: readonly string[]): Promise<Set<string>> {
  const rows = await em.execute<{ source_code: string }[]>(
    'select source_code from inventory_source where source_code = any (array[?]::text[])',
    [[...codes]],
  );
  return new Set(rows.map((row) => row.source_code));
}
