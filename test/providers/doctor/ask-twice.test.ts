import { expect, test } from 'vitest';
import { askTwice, broken, ok, warning } from '../../../providers/doctor/check.ts';

/** Answers one after the other, as a service does that starts anew. */
const answering = (...answers: Parameters<typeof Promise.resolve>[0][]) => {
  let asked = 0;
  return { ask: async () => [answers[asked++]] as never, count: () => asked };
};

test('doctor asks again before it says BROKEN, and believes the second answer', async () => {
  const restarting = answering(broken('api', 'does not answer', 'start it'), ok('api', 'answers'));
  const away = answering(broken('api', 'was away', 'start it'), broken('api', 'is away', 'start it'));

  expect(await askTwice(restarting.ask, 0)).toEqual([ok('api', 'answers')]);
  expect(await askTwice(away.ask, 0)).toEqual([broken('api', 'is away', 'start it')]);
});

test('doctor asks once where nothing is broken', async () => {
  const fine = answering(warning('mail', 'no relay is set', 'set SMTP_URL'));

  await askTwice(fine.ask, 0);
  expect(fine.count()).toBe(1);
});
