import { DriverException, ForeignKeyConstraintViolationException } from '@mikro-orm/postgresql';

/** PostgreSQL 18's code where a foreign key restricts a deletion; older versions use the code of every foreign key. */
const restrictViolation = '23001';

/** Whether a deletion failed because another record refers to the deleted one. */
export const isStillNeeded = (error: unknown): boolean =>
  error instanceof ForeignKeyConstraintViolationException ||
  (error instanceof DriverException && error.code === restrictViolation);
