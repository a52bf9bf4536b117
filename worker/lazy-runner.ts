import type { ApiParts } from '../api/http/api-parts.ts';
import type { OperationRunner } from '../activities/bulk/bulk-activities.ts';

/** The routes for bulks, loaded with the first bulk. Most workers never get one and save the memory. */
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
