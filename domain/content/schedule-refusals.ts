import { invalid, notFound } from '../errors.ts';

export const noSuchSchedule = (id: number) => notFound(`The schedule with the "%1" ID doesn't exist.`, [id]);

/** What is carried out, failed or cancelled stays as it is. */
export const scheduleIsOver = (state: string) => invalid('The schedule is over: %1.', [state]);
