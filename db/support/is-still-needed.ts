import { DriverException, ForeignKeyConstraintViolationException } from '@mikro-orm/postgresql';

/** What PostgreSQL 18 says where a foreign key restricts; before it said what it says of any foreign key. */
const restrictViolation = '23001';

/** Whether a deletion failed because another record points at what should go. */
export const isStillNeeded = (error: unknown): boolean =>
  error instanceof ForeignKeyConstraintViolationException ||
  (error instanceof DriverException && error.code === restrictViolation);
