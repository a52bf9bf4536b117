import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { troubleOf } from '../db/support/connections/database-trouble.ts';

/**
 * A database failure is a fault under one name, which Temporal retries. When it outlasts the retries, the caller gets
 * 503.
 */
export const reportTrouble: ActivityInterceptorsFactory = () => ({
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
