import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers, optionalTexts } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/** A physical store (spec 2.3). A nullable field that is null inherits the website's setting. */
export const Location = defineEntity({
  name: 'Location',
  tableName: 'pos_location',
  properties: {
    locationId: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255),
    code: p.string().length(64).unique(),
    ...optionalTexts(
      'street',
      'city',
      'region',
      'postcode',
      'phone',
      'vatNumber',
      'cardPaymentProvider',
      'pickupCompletedStatusCode',
      'receiptStoreInfoPlacement',
    ),
    regionId: p.bigint('number').nullable(),
    countryId: p.string().length(2).nullable(),
    websiteId: p.bigint('number').index().default(0),
    storeViewId: p.bigint('number').nullable(),
    sourceCode: p.string().length(64).nullable(),
    damagedStockSourceCode: p.string().length(64).nullable(),
    isActive: p.boolean().default(true),
    /** An IANA name, such as `Europe/Berlin`; null inherits that of the website. Its days begin by it. */
    timeZone: p.string().length(64).nullable(),
    paymentMethods: p.text().nullable(),
    ...optionalIntegers('allowStoreCredit', 'lowStockThreshold', 'receiptLogoSize', 'layawayExpiryDays'),
    layawayDepositMinPercent: p.decimal('string').precision(7).scale(4).nullable(),
    layawayCancellationFeePercent: p.decimal('string').precision(7).scale(4).nullable(),
    taxUseAddress: p.boolean().default(false),
    addressUseStoreview: p.boolean().default(false),
    useMsi: p.boolean().nullable(),
    receiptHeader: p.text().nullable(),
    receiptFooter: p.text().nullable(),
    receiptShowStaffName: p.boolean().nullable(),
    receiptShowOrderNumber: p.boolean().nullable(),
    staffNameFormat: p.string().length(32).nullable(),
    customerValidators: p.text().nullable(),
    /** Further settings of this location, by the keys of the resolved config (spec 2.2). */
    configOverrides: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    ...timestamps,
  },
});

export type Location = InferEntity<typeof Location>;
