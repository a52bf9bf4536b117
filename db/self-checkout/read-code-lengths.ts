import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** The lengths of one-time codes that are set in any scope. Reads only. */
export const readCodeLengths = async (em: EntityManager): Promise<string[]> =>
  (await selectCodeLengths.all(em)).map(({ value }) => value);

const selectCodeLengths = sql('read-code-lengths.selectCodeLengths')`
  select coalesce(value, '') as value from config_value
  where path = 'vendor_pos_advanced/self_checkout/otp_length'`;
