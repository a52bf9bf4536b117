import { randomBytes } from 'node:crypto';
import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { isLicenseKey } from '../../domain/terminals/formats.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Author } from '../audit/record-difference.ts';
import { given } from '../support/given.ts';
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
  /** What the license service knows the license by; absent: what it is known by stays. */
  licenseKey?: string | undefined;
  /** Whom the audit trail names; absent: nobody, as for the seed. */
  by?: Author;
}

/**
 * Gives a terminal a license by an administrator's word (`pos license grant`), or takes it away.
 *
 * A terminal that has one keeps it, with the type granted now: any number of grants leave one license. A key that is
 * another license's links that one. What the service says of it later wins over the grant.
 *
 * Refused with: 404 unknown terminal · 400 a key that is none.
 */
export async function grantLicense(em: EntityManager, box: SecretBox, grant: LicenseGrant): Promise<void> {
  const { terminalId, licenseKey } = grant;
  if (licenseKey !== undefined && !isLicenseKey(licenseKey)) throw invalid('"%1" is no license key.', [licenseKey]);
  await transact(em, async (tx) => {
    const terminal = await tx.findOne(Terminal, { terminalId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!terminal) throw noSuchTerminal(terminalId);
    const own = terminal.licenseId ? await tx.findOne(License, { licenseId: terminal.licenseId }) : null;
    const named = licenseKey === undefined ? null : await tx.findOne(License, { licenseKey });
    const before = wordsOf(own);
    const license = await changed(tx, box, named ?? own, grant);
    if (license && terminal.licenseId !== license.licenseId) terminal.licenseId = license.licenseId;
    await tx.flush();
    await note(tx, terminal, { before, after: wordsOf(license), by: grant.by });
  });
}

/** The license as it is granted now; null where there is none to take away. */
async function changed(em: EntityManager, box: SecretBox, license: License | null, grant: LicenseGrant) {
  const { type, expiresAt, licenseKey } = grant;
  if (type === 'none') return license && em.assign(license, { status: 'revoked' });
  const facts = { type, status: 'active', expiresAt: expiresAt ?? null, ...given({ licenseKey }) } as const;
  const checked = { lastUpstreamCheckAt: new Date(), lastUpstreamCheckSucceeded: true };
  if (license) return em.assign(license, { ...facts, ...checked });
  const sealedToken = box.seal(randomBytes(32).toString('hex'), licenseTokenPurpose);
  const made = em.create(License, { ...facts, ...checked, sealedToken });
  await em.flush();
  return made;
}

/** As people say it; the key is no secret, the token is, and stays out. */
function wordsOf(license: License | null): string | null {
  if (!license || license.status === 'revoked') return null;
  return license.licenseKey ? `${license.type} ${license.licenseKey}` : license.type;
}

async function note(
  em: EntityManager,
  { terminalId, name }: Terminal,
  { before, after, by }: { before: string | null; after: string | null; by: Author | undefined },
): Promise<void> {
  if (!by || before === after) return;
  const subject = { entityType: 'terminal', entityId: terminalId, entityName: name };
  await recordAudit(em, { ...subject, fieldName: 'license', oldValue: before, newValue: after, ...by });
}
