import { randomBytes } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { isLicenseKey, type LicenseStatus, type LicenseType } from '../../domain/terminals.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Author } from '../audit/record-difference.ts';
import { definedFields } from '../support/defined-fields.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { shopNow } from '../support/shop-clock.ts';
import { transact } from '../support/transact.ts';
import { License, Terminal } from './terminal.entity.ts';
import { noSuchTerminal } from './terminal.repository.ts';

/** The purpose with which license secrets are sealed. */
export const licenseTokenPurpose = 'license token';
export const fiscalApiKeyPurpose = 'fiscal api key';

export interface LicenseGrant {
  terminalId: number;
  /** `none` revokes the terminal's license; the row stays. */
  type: 'pro' | 'free' | 'none';
  expiresAt?: Date;
  /** The license service's key of the license; absent: unchanged. */
  licenseKey?: string | undefined;
  /** The author for the audit trail; absent: none, as for the seed. */
  by?: Author;
}

/**
 * Grants a license to a terminal by an administrator (`pos license grant`), or revokes it.
 *
 * A terminal with a license keeps it, with the type granted now: any number of grants leave one license. The key of
 * another license links that one. A later answer of the service replaces the grant.
 *
 * Refused with: 404 unknown terminal · 400 an invalid key.
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

/** The license after the grant; null where there is none to revoke. */
async function changed(em: EntityManager, box: SecretBox, license: License | null, grant: LicenseGrant) {
  const { type, expiresAt, licenseKey } = grant;
  if (type === 'none') return license && em.assign(license, { status: 'revoked' });
  const facts = { type, status: 'active', expiresAt: expiresAt ?? null, ...definedFields({ licenseKey }) } as const;
  const checked = { lastUpstreamCheckAt: shopNow(), lastUpstreamCheckSucceeded: true };
  if (license) return em.assign(license, { ...facts, ...checked });
  const sealedToken = box.seal(randomBytes(32).toString('hex'), licenseTokenPurpose);
  const made = em.create(License, { ...facts, ...checked, sealedToken });
  await em.flush();
  return made;
}

/** As text for people, with the key, which is not secret, and without the token, which is. */
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

/** The license service's data; secrets in clear text. */
interface LicenseNews {
  status: LicenseStatus;
  type: LicenseType;
  token: string;
  expiresAt: Date | null;
  fiscal: { tssId: string; apiKey: string } | null;
}

/**
 * Records that the license service was asked, and its answer (spec 4.2). Without an answer everything stays: a
 * service that is away stops no licensed register.
 *
 * Safe to repeat: the same answer changes only the time of the check. Secrets are sealed again only where they
 * changed, because registers fetch their configuration at each change.
 *
 * @param news absent: the service refused, or gave no usable answer
 */
export async function recordLicenseCheck(
  em: EntityManager,
  box: SecretBox,
  { licenseId, news, now }: { licenseId: number; news?: LicenseNews; now: Date },
): Promise<void> {
  await transact(em, async (tx) => {
    const license = await tx.findOne(License, { licenseId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!license) return;
    tx.assign(license, { lastUpstreamCheckAt: now, lastUpstreamCheckSucceeded: news !== undefined });
    if (!news) return;
    const { status, type, token, expiresAt, fiscal } = news;
    tx.assign(license, { status, type, expiresAt, fiscalTssId: fiscal?.tssId ?? null });
    license.sealedToken = sealedAs(box, { sealed: license.sealedToken, clear: token, purpose: licenseTokenPurpose });
    license.sealedFiscalApiKey =
      fiscal === null
        ? null
        : sealedAs(box, { sealed: license.sealedFiscalApiKey, clear: fiscal.apiKey, purpose: fiscalApiKeyPurpose });
  });
}

interface Secret {
  sealed: string | null | undefined;
  clear: string;
  purpose: string;
}

/** A sealed value that is equal stays; one that the present key cannot open is sealed again. */
function sealedAs(box: SecretBox, { sealed, clear, purpose }: Secret): string {
  try {
    if (sealed && box.open(sealed, purpose) === clear) return sealed;
  } catch {
    return box.seal(clear, purpose);
  }
  return box.seal(clear, purpose);
}
