import type { EntityManager } from '@mikro-orm/postgresql';
import type { BulkOperationToRun } from '../../../domain/bulk.ts';
import { notPermitted } from '../../../domain/errors.ts';
import { noSuchRoute } from '../../../domain/refusals/platform.ts';
import { refuseTrouble } from '../../wire/refuse-trouble.ts';
import { heldBack, answerOnce } from '../answer-once.ts';
import type { Within } from '../within.ts';
import { createArgumentReader } from '../arguments.ts';
import { aclOf, callerOf, mayCall, routeContextOf, type Heard } from '../route-context.ts';
import type { ApiParts } from '../api-parts.ts';
import { write } from '../middleware/handle.ts';
import { canWait } from './async-routes.ts';
import { opened } from './seal-secrets.ts';

/** An operation's answer, and what to do after the commit. */
interface Carried {
  text: string;
  committed: () => void;
}

/**
 * Makes what carries out a bulk's operations by the route's own definition. The checks, the handler and the refusals
 * are those of a single request.
 */
export function createOperationRunner(parts: ApiParts) {
  const routes = new Map(
    parts.routes
      .filter(canWait)
      .map((route) => [`${route.method} ${route.path}`, { route, readArguments: createArgumentReader(route) }]),
  );

  const find = (operation: BulkOperationToRun) => {
    const found = routes.get(operation.route);
    if (!found) throw noSuchRoute();
    return found;
  };

  return {
    /** Whether an operation is one transaction: it calls no other service and commits once. */
    isOneTransaction: (route: string): boolean => routes.get(route)?.route.commits !== 'several',

    /** Whether an error is temporary, so that a repeat may succeed. */
    isPassing: (error: unknown): boolean => refuseTrouble(error) !== undefined,

    /**
     * Runs one operation. A route that commits several times finds its earlier work by the operation's idempotency key.
     *
     * @param em joins the caller's transaction; absent for a route with transactions of its own
     */
    async run(operation: BulkOperationToRun, em?: EntityManager): Promise<Carried> {
      const { route, readArguments } = find(operation);
      const { store } = operation;
      const sources = opened(operation.sources, parts.settings);
      const caller = callerOf({ ...operation.caller, websiteId: null }, store);
      if (!mayCall(caller, route)) throw notPermitted(aclOf(route));
      const request = requestOf(operation);
      const { workflows, release } = heldBack(parts.workflows);
      const call = {
        ...{ parts, request, store, caller, clientAddress: noNetwork, ahead: undefined },
        input: readArguments(sources),
        now: parts.clock(),
      };
      const work = async (within: Within) =>
        write(route, await route.handle(routeContextOf({ ...call, within })), undefined);
      if (em) return { text: textOf(await work({ em, workflows })), committed: release };
      const pieces = await answerOnce({ parts, request, route, sources, caller, store, work });
      return { text: textOf(pieces), committed: release };
    },
  };
}

/** Otherwise everybody who waits would share one count. */
const noNetwork = (): never => {
  throw new Error('A route that reads the client address cannot wait: it must say countsNetworks.');
};

/** The operation as a request with an idempotency key: the same operation is the same request. */
const requestOf = ({ bulkUuid, operationKey }: BulkOperationToRun): Heard => ({
  incoming: { headers: { 'idempotency-key': `bulk-${bulkUuid}-${operationKey}` }, socket: {} },
  requestId: `bulk-${bulkUuid}-${operationKey}`,
  setHeader: () => undefined,
});

const textOf = (pieces: readonly (string | Buffer)[]) => pieces.map(String).join('');
