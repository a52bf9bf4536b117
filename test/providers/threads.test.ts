import { afterAll, expect, test } from 'vitest';
import type { RenderAnswer, RenderJob } from '../../providers/content/render-worker.ts';
import { Threads } from '../../providers/threads.ts';

const threads = new Threads<RenderJob, RenderAnswer, 'everybody'>({
  file: new URL('../../providers/content/render-worker.ts', import.meta.url),
  serves: [['everybody']],
  mostWaiting: { everybody: 8 },
  tooMany: 'Too many.',
  ended: 'the thread ended',
});
afterAll(() => threads.close());

const aText = (html: string): RenderJob => ({ html, css: '', blocks: new Map(), settings: new Map() });
const endless = aText('<p style="!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!">x</p>'.repeat(9_000));
const refusal = () => new Error('It takes too long.');
const worth = aText('<p>worth it</p>');

test('a job beyond its time is given up, and those behind it get a new thread', async () => {
  const [slow, ...others] = await Promise.allSettled([
    threads.ask(endless, 'everybody', { ms: 50, refusal }),
    threads.ask(worth, 'everybody'),
    threads.ask(worth, 'everybody', { ms: 60_000, refusal }),
  ]);
  expect(slow).toMatchObject({ status: 'rejected', reason: { message: 'It takes too long.' } });
  for (const other of others)
    expect(other).toMatchObject({ status: 'fulfilled', value: { text: { html: '<p>worth it</p>' } } });
});

test('a job in time leaves its thread to the next one', async () => {
  for (let round = 0; round < 3; round++)
    expect(await threads.ask(worth, 'everybody', { ms: 60_000, refusal })).toMatchObject({ text: { css: '' } });
});
