import type { EntityManager } from '@mikro-orm/postgresql';
import type { LicenseFacts, LicenseStatus, LicenseType } from '../../domain/terminals/license.ts';

/** The license of a terminal; undefined for none, and for a terminal nobody knows. */
export async function findLicense(em: EntityManager, terminalId: number): Promise<LicenseFacts | undefined> {
  const [row] = await em.execute<{ status: LicenseStatus; type: LicenseType; expires_at: string | null }[]>(
    `select l.license_status as status, l.license_type as type, l.expires_at
     from pos_terminal t join pos_license l using (license_id) where t.terminal_id = ?`,
    [terminalId],
  );
  return row && { ...row, expiresAt: row.expires_at === null ? null : new Date(row.expires_at) };
}
