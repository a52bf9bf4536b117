import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';

/** Does the work, and refuses it where a unique index finds a value taken: of two saves at once the index decides. */
export async function refuseTaken<Result>(
  work: () => Promise<Result>,
  refusal: (taken: UniqueConstraintViolationException) => Error,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw refusal(error);
    throw error;
  }
}
