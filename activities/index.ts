import { createCatalogRuleActivities } from './catalog-rules/catalog-rule-activities.ts';
import { createContentActivities } from './content/content-activities.ts';
import { createRenewalActivities } from './content/renewal-activities.ts';
import { createCreditActivities } from './credits/credit-activities.ts';
import { createCreditRefundActivities } from './credits/credit-refund-activities.ts';
import { createHousekeepingActivities } from './housekeeping/housekeeping-activities.ts';
import { createLayawayActivities } from './layaways/layaway-activities.ts';
import { createProcessActivities } from './process/process-activities.ts';
import { createDocumentRefundActivities } from './refunds/document-refund-activities.ts';
import { createRefundActivities } from './refunds/refund-activities.ts';
import { createProviderActivities } from './returns/provider-activities.ts';
import { createRetentionActivities } from './retention/retention-activities.ts';
import { createReturnActivities } from './returns/return-activities.ts';
import { createSelfCheckoutActivities } from './self-checkout/self-checkout-activities.ts';
import { createTelemetryActivities } from './telemetry/telemetry-activities.ts';
import type { ActivityDependencies } from './support/dependencies.ts';

/** Everything a worker can do, by name. */
export const createActivities = (dependencies: ActivityDependencies) => ({
  ...createReturnActivities(dependencies),
  ...createProcessActivities(dependencies),
  ...createProviderActivities(dependencies),
  ...createRefundActivities(dependencies),
  ...createDocumentRefundActivities(dependencies),
  ...createCreditRefundActivities(dependencies),
  ...createLayawayActivities(dependencies),
  ...createContentActivities(dependencies),
  ...createRenewalActivities(inBatches(dependencies)),
  ...createCreditActivities(inBatches(dependencies)),
  ...createHousekeepingActivities(dependencies),
  ...createCatalogRuleActivities(inBatches(dependencies)),
  ...createRetentionActivities(inBatches(dependencies)),
  ...createSelfCheckoutActivities(inBatches(dependencies)),
  ...createTelemetryActivities(inBatches(dependencies)),
});

/** Work without a waiting caller: it uses its own connections, so it takes none from work with one. */
const inBatches = ({ orm, batchOrm = orm, ...others }: ActivityDependencies): ActivityDependencies => ({
  ...others,
  orm: batchOrm,
});
