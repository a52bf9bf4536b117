import { randomBytes } from 'node:crypto';
import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '../support/secret-box.ts';
import { transact } from '../support/transact.ts';
import { License } from './license.entity.ts';
import { noSuchTerminal } from './terminal.repository.ts';
import { Terminal } from './terminal.entity.ts';

/** What license secrets are sealed for. */
export const licenseTokenPurpose = 'license token';
export const fiscalApiKeyPurpose = 'fiscal api key';

export interface LicenseGrant {
  terminalId: number;
  /** `none` takes the terminal's license away: it is revoked, and kept. */
  type: 'pro' | 'free' | 'none';
  expiresAt?: Date;
}

/**
 * Gives a terminal a license by an administrator's word (`pos license grant`), or takes it away.
 *
 * A terminal that has one keeps it, with the type granted now: any number of grants leave one license.
 *
 * Refused with: 404 unknown terminal.
 */
export async function grantLicense(em: EntityManager, box: SecretBox, grant: LicenseGrant): Promise<void> {
  const { terminalId, type, expiresAt } = grant;
  await transact(em, async (tx) => {
    const terminal = await tx.findOne(Terminal, { terminalId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!terminal) throw noSuchTerminal(terminalId);
    const license = terminal.licenseId ? await tx.findOne(License, { licenseId: terminal.licenseId }) : null;
    const checked = { lastUpstreamCheckAt: new Date(), lastUpstreamCheckSucceeded: true };
    if (type === 'none') {
      if (license) license.status = 'revoked';
      return;
    }
    if (license) {
      tx.assign(license, { type, status: 'active', expiresAt: expiresAt ?? null, ...checked });
      return;
    }
    const sealedToken = box.seal(randomBytes(32).toString('hex'), licenseTokenPurpose);
    const made = tx.create(License, { type, status: 'active', expiresAt: expiresAt ?? null, sealedToken, ...checked });
    await tx.flush();
    terminal.licenseId = made.licenseId;
  });
}
