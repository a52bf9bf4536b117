import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';

/**
 * Does the work, and refuses it where a unique index finds a value taken: of two saves at once the index decides.
 *
 * @param index the only one that counts; absent: any
 */
export async function refuseTaken<Result>(
  work: () => Promise<Result>,
  refusal: (taken: UniqueConstraintViolationException) => Error,
  index = '',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException && error.message.includes(index)) throw refusal(error);
    throw error;
  }
}
