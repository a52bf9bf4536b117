import type { EntityManager } from '@mikro-orm/postgresql';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { Operation } from './operation.ts';
import type { RouteContext } from './route.ts';

/** What a handler gets in place of its own objects. */
export interface Within {
  em?: EntityManager;
  workflows?: Workflows;
  operation?: Operation;
}

/** Set where a route knows that an earlier request booked the answer, and that this one booked nothing. */
export const replayHeader = 'Idempotent-Replayed';

/** A header, because the interface defines the answer's keys. A register may ignore it. */
export const markReplayed = ({ setHeader }: Pick<RouteContext, 'setHeader'>): void => setHeader(replayHeader, 'true');
