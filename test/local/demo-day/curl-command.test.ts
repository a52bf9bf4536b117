import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlCommand, shellVariables } from '../../../local/demo-day/curl-command.ts';
import type { Ready } from '../../../local/ready-file.ts';

const ready = {
  api: 'http://127.0.0.1:8080/rest',
  gateway: 'http://127.0.0.1:9090',
  registerToken: 'a-register',
  adminToken: 'an-administrator',
} as Ready;

/** What a shell would call `curl` with. */
const wordsOf = (command: string) =>
  execFileSync('bash', ['-euc', `${shellVariables(ready)}\n${command.replace('curl', String.raw`printf '%s\0'`)}`], {
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

test('a shell reads a command as the request that was sent', () => {
  const body = JSON.stringify({ note: `"it's" $5 \`now\` \\ back` });
  const url = `${ready.api}/V1/orders?searchCriteria%5BpageSize%5D=1&name=$HOME`;

  const command = curlCommand(
    { method: 'POST', url, headers: { authorization: 'Bearer a-register', 'x-note': "it's" }, body },
    ready,
  );

  expect(command).toContain('"$API/V1/orders');
  expect(command).not.toContain('a-register');
  expect(wordsOf(command)).toEqual([
    ...['-gsS', '-w', String.raw`\n`, '-X', 'POST', url],
    ...['-H', 'authorization: Bearer a-register', '-H', "x-note: it's", '--data', body],
  ]);
});

test('a page’s form is sent field by field', () => {
  const form = { email: 'grace@demo.example', password: "it's & mine" };
  const command = curlCommand({ method: 'POST', url: 'http://127.0.0.1:8080/receipt/1', headers: {}, form }, ready);

  expect(wordsOf(command)).toEqual([
    ...['-gsS', '-w', String.raw`\n`, 'http://127.0.0.1:8080/receipt/1'],
    ...['--data-urlencode', 'email=grace@demo.example', '--data-urlencode', "password=it's & mine"],
  ]);
});
