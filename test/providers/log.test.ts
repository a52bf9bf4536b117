import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLog, logWith, type Log } from '../../providers/log.ts';

function lineOf(write: (log: Log) => void, format: 'json' | 'pretty' = 'json'): string {
  let text = '';
  write(createLog('worker', { LOG_LEVEL: 'info', LOG_FORMAT: format }, { write: (line) => void (text += line) }));
  return text;
}

test('every line says which process wrote it, in either form and in a request’s own log', () => {
  expect(JSON.parse(lineOf((log) => log.info('ready')))).toMatchObject({ name: 'worker', msg: 'ready' });
  expect(JSON.parse(lineOf((log) => log.child({ requestId: 'r-1' }).info('asked')))).toMatchObject({
    name: 'worker',
    requestId: 'r-1',
  });
  expect(lineOf((log) => log.info('ready'), 'pretty')).toMatch(/ info worker: ready /);
});

test('what is written while an activity runs carries its workflow, and nothing after it does', async () => {
  const lines = lineOf((log) => {
    logWith({ workflowId: 'return-42', activityType: 'bookSettlement' }, () => log.info({ outcome: 'booked' }, 'said'));
    log.info('idle');
  })
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines[0]).toMatchObject({ workflowId: 'return-42', activityType: 'bookSettlement', outcome: 'booked' });
  expect(lines[1]).not.toHaveProperty('workflowId');
});

test('a fault shows its code; a code that a person typed is hidden', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(JSON.parse(lineOf((log) => log.error({ error: away }, 'failed')))).toMatchObject({
    error: { faultCode: 'ECONNREFUSED', type: 'Error', message: 'connect ECONNREFUSED' },
  });
  expect(lineOf((log) => log.info({ code: 'GIFT-1', card: { code: 'GIFT-2' } }, 'card'))).not.toContain('GIFT-');
});

test.each(['json', 'pretty'] as const)(
  'a text of somebody else’s makes no line of its own, and steers no terminal: %s',
  (format) => {
    const forged = 'x\n12:00:00 info api: all is well\u001b[2J\u009b2J\r\u202e';
    const text = lineOf((log) => log.warn({ path: forged, error: new Error(forged) }, forged), format);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(format === 'json' ? text.replaceAll(/[\u0080-\uffff]/g, '') : text).not.toMatch(/[\p{Cc}\u202e](?!$)/u);
  },
);

test.each(['json', 'pretty'])('a full disk behind its log does not end a process: %s', (format) => {
  const log = `createLog('api', { LOG_LEVEL: 'info', LOG_FORMAT: '${format}' })`;
  const code = `import { createLog } from './providers/log.ts'; const log = ${log};
    for (let n = 0; n < 3; n++) log.info('line'); setTimeout(() => process.exit(7), 50);`;
  const ended = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(ended.status).toBe(7);
  expect(ended.stderr).toBe('The log cannot be written (ENOSPC: no space left on device, write).\n');
});
