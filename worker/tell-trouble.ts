import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { troubleOf } from '../db/support/connections/database-trouble.ts';

/**
 * Trouble of the database is a fault that Temporal tries again, under one name, so that whoever waits is told 503 should
 * it last longer than the tries.
 */
export const tellTrouble: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === undefined || !(error instanceof Error)) throw error;
        throw ApplicationFailure.create({
          type: 'DatabaseTrouble',
          message: `${trouble}: ${error.message}`,
          cause: error,
        });
      }
    },
  },
});
