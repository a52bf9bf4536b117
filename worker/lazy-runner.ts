import type { ApiParts } from '../api/http/mount.ts';
import type { OperationRunner } from '../activities/bulk/bulk-activities.ts';

/**
 * The routes, for bulks: loaded when the first bulk comes, for most workers never see one and need no memory for all
 * that routes load.
 */
export function lazyRunner(parts: Omit<ApiParts, 'routes'>): () => Promise<OperationRunner> {
  let runner: Promise<OperationRunner> | undefined;
  const load = async () => {
    const [{ createOperationRunner }, { routes }] = await Promise.all([
      import('../api/http/bulk/run-operation.ts'),
      import('../api/routes.ts'),
    ]);
    return createOperationRunner({ ...parts, routes });
  };
  return () => (runner ??= load());
}
