import type { MikroORM } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';

/** Starts the work so many times at once, each told its number from 0, and waits for every answer. */
export const atOnce = <Answer>(count: number, work: (number: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)));

/** As many as a busy shop has registers. */
export const eightAtOnce = <Answer>(work: (number: number) => Promise<Answer>) => atOnce(8, work);

/** A button pressed twice. */
export const twiceAtOnce = <Answer>(work: () => Promise<Answer>): Promise<[Answer, Answer]> =>
  Promise.all([work(), work()]);

/** Where some are refused: the answers of those that were carried out, and what the others were told. */
export async function outcomesAtOnce<Answer>(count: number, work: (number: number) => Promise<Answer>) {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, number) => work(number)));
  return {
    done: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    refused: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])),
  };
}

/** In turn from two processes of the service. The text of a refusal is an answer; a deadlock fails the test. */
export const rivalsOf =
  (processes: () => readonly [MikroORM, MikroORM]) =>
  <Answer>(
    count: number,
    work: (em: MikroORM['em'], number: number) => Promise<Answer>,
  ): Promise<(Answer | string)[]> =>
    atOnce(count, async (number) => {
      const [one, other] = processes();
      try {
        return await work((number % 2 === 0 ? one : other).em, number);
      } catch (error) {
        if (error instanceof PosError) return error.message;
        throw error;
      }
    });

/** The answers that are no refusals. */
export const carriedOut = <Answer>(answers: readonly (Answer | string)[]): Answer[] =>
  answers.flatMap((answer) => (typeof answer === 'string' ? [] : [answer]));
