import { invalid, notFound } from '../errors.ts';

export const noSuchSchedule = (id: number) => notFound(`The schedule with the "%1" ID doesn't exist.`, [id]);

/** A schedule that was carried out, failed or was cancelled does not change again. */
export const scheduleIsOver = (state: string) => invalid('The schedule is over: %1.', [state]);
