import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { licenseStatuses, licenseTypes } from '../../domain/terminals/license.ts';
import { timestamps } from '../support/timestamps.ts';

/** A terminal's license and the fiscal credentials that come with it (spec 2.2). Token and key are sealed at rest. */
export const License = defineEntity({
  name: 'License',
  tableName: 'pos_license',
  properties: {
    licenseId: p.integer().primary().autoincrement(),
    /** The license service's key; null for a license granted by an administrator. */
    licenseKey: p.string().length(128).nullable().unique(),
    type: p.enum(licenseTypes).fieldName('license_type'),
    status: p.enum(licenseStatuses).fieldName('license_status').default('active'),
    sealedToken: p.text().nullable().hidden(),
    expiresAt: p.datetime(6).nullable(),
    fiscalTssId: p.string().length(128).nullable(),
    sealedFiscalApiKey: p.text().nullable().hidden(),
    lastUpstreamCheckAt: p.datetime(6).nullable(),
    lastUpstreamCheckSucceeded: p.boolean().nullable(),
    ...timestamps,
  },
});

export type License = InferEntity<typeof License>;
