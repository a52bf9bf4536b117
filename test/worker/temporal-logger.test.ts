import { expect, test } from 'vitest';
import { createLog } from '../../providers/log.ts';
import { temporalLogger } from '../../worker/temporal-logger.ts';

/** What is written when a line comes in, at every level. */
function written(say: (logger: ReturnType<typeof temporalLogger>) => unknown): Record<string, unknown>[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  say(temporalLogger(createLog('worker', { LOG_LEVEL: 'trace', LOG_FORMAT: 'json' }, destination)));
  return lines.map((line) => JSON.parse(line));
}
const levels = { debug: 20, info: 30, warn: 40, error: 50 };
const ours = { sdkComponent: 'workflow', workflowId: 'refund-attempt-8', rmaId: 42 };
const theirs = { sdkComponent: 'worker', workflowId: 'refund-attempt-8', jobs: [{ data: 'T2xnYQ==' }] };

test('an operator’s note that passes through Temporal’s own traces is never written', () => {
  expect(written((logger) => logger.log('TRACE', 'Got workflow activation', theirs))).toEqual([]);
  expect(written((logger) => logger.trace('Got activity task', theirs))).toEqual([]);
});

test.each(['warn', 'error'] as const)(
  'Temporal’s own %s is written as such, with the workflow’s name and no payload',
  (level) => {
    const error = new Error('no such workflow');
    const [line] = written((logger) =>
      logger.log(level === 'warn' ? 'WARN' : 'ERROR', 'Workflow failed', { ...theirs, error }),
    );

    expect(line).toMatchObject({ level: levels[level], workflowId: 'refund-attempt-8', msg: 'Workflow failed' });
    expect(line).toMatchObject({ error: { message: 'no such workflow' } });
    expect(line).not.toHaveProperty('jobs');
  },
);

test('what a workflow of ours says keeps its level and its facts; the SDK’s own talk is for who asks for it', () => {
  expect(written((logger) => logger.log('INFO', 'the return is closed', ours))).toMatchObject([
    { level: levels.info, rmaId: 42 },
  ]);
  expect(written((logger) => logger.log('WARN', 'a signal was ignored', ours))).toMatchObject([
    { level: levels.warn, rmaId: 42 },
  ]);
  expect(written((logger) => logger.log('INFO', 'Worker state changed', theirs))).toMatchObject([
    { level: levels.debug },
  ]);
  expect(written((logger) => logger.info('Worker state changed'))).toMatchObject([{ level: levels.debug }]);
});
