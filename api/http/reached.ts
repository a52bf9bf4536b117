import { PosError, unavailable } from '../../domain/errors.ts';
import { refuseTrouble } from '../wire/refuse-trouble.ts';

/** Nothing has been done yet, so a database that is away is a clear "ask again". */
export async function reached<Found>(looking: Promise<Found>): Promise<Found> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof PosError) throw error;
    const refusal = refuseTrouble(error) ?? unavailable('The database cannot be reached. Try again later.').refusal;
    throw new PosError(refusal, { cause: error });
  }
}
