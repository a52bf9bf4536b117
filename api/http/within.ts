import type { EntityManager } from '@mikro-orm/postgresql';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { Operation } from './operation.ts';

/** What a handler gets in place of its own objects. */
export interface Within {
  em?: EntityManager;
  workflows?: Workflows;
  operation?: Operation;
}
