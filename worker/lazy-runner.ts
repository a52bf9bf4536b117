import type { ApiParts } from '../api/http/api-parts.ts';
import { noExtensions } from '../providers/extensions.ts';
import { shopNow } from '../db/support/shop-clock.ts';
import type { OperationRunner } from '../activities/bulk.ts';

/** The routes for bulks, loaded with the first bulk. Most workers never get one and save the memory. */
export function lazyRunner(parts: Omit<ApiParts, 'routes'>, extensions = noExtensions): () => Promise<OperationRunner> {
  let runner: Promise<OperationRunner> | undefined;
  const load = async () => {
    const [{ createOperationRunner }, { withRoutesOf }] = await Promise.all([
      import('../api/http/bulk/run-operation.ts'),
      import('../api/routes.ts'),
    ]);
    // Operations store and compare moments as requests do.
    return createOperationRunner({ ...parts, clock: shopNow, routes: withRoutesOf(extensions) });
  };
  return () => (runner ??= load());
}
