import {
  createBooksActivities,
  createCatalogRuleActivities,
  createRetentionActivities,
  createSelfCheckoutActivities,
  createTelemetryActivities,
} from './nights.ts';
import { createContentActivities, createRenewalActivities } from './content.ts';
import { createCreditActivities, createCreditRefundActivities } from './credits.ts';
import { createHousekeepingActivities } from './housekeeping/take-up-lost-runs.ts';
import { createLayawayActivities } from './layaways.ts';
import { createProcessActivities } from './process.ts';
import { createDocumentRefundActivities, createRefundActivities } from './refunds.ts';
import { createRegisterSessionActivities } from './register-sessions.ts';
import { createProviderActivities, createReturnActivities } from './returns.ts';
import type { ActivityDependencies } from './support.ts';

/** Everything a worker can do, by name. */
export const createActivities = (dependencies: ActivityDependencies) => ({
  ...createReturnActivities(dependencies),
  ...createProcessActivities(dependencies),
  ...createProviderActivities(dependencies),
  ...createRefundActivities(dependencies),
  ...createDocumentRefundActivities(dependencies),
  ...createCreditRefundActivities(dependencies),
  ...createLayawayActivities(dependencies),
  ...createRegisterSessionActivities(dependencies),
  ...createContentActivities(dependencies),
  ...createRenewalActivities(inBatches(dependencies)),
  ...createCreditActivities(inBatches(dependencies)),
  ...createHousekeepingActivities(dependencies),
  ...createCatalogRuleActivities(inBatches(dependencies)),
  ...createRetentionActivities(inBatches(dependencies)),
  ...createSelfCheckoutActivities(inBatches(dependencies)),
  ...createTelemetryActivities(inBatches(dependencies)),
  ...createBooksActivities(inBatches(dependencies)),
});

/** Work without a waiting caller: it uses its own connections, so it takes none from work with one. */
const inBatches = ({ orm, batchOrm = orm, ...others }: ActivityDependencies): ActivityDependencies => ({
  ...others,
  orm: batchOrm,
});
