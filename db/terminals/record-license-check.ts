import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { LicenseStatus, LicenseType } from '../../domain/terminals/license.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { transact } from '../support/transact.ts';
import { fiscalApiKeyPurpose, licenseTokenPurpose } from './grant-license.ts';
import { License } from './license.entity.ts';

/** The license service's data; secrets in clear text. */
export interface LicenseNews {
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
