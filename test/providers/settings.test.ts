import { expect, test } from 'vitest';
import { parseSettings } from '../../providers/settings.ts';

test.each([
  ['PORT', 'abc', 'PORT is "abc", but must be a whole number from 0 to 65535.'],
  ['PORT', '70000', 'PORT is "70000", but must be a whole number from 0 to 65535.'],
  ['METRICS_PORT', '1.5', 'METRICS_PORT is "1.5", but must be a whole number from 0 to 65535.'],
  ['GATEWAY_TIMEOUT_SECONDS', '0', 'GATEWAY_TIMEOUT_SECONDS is "0", but must be a whole number from 1 to 60.'],
  [
    'GATEWAY_SIMULATOR_URL',
    'foo',
    'GATEWAY_SIMULATOR_URL is "foo", but must be an address such as https://shop.example:8443.',
  ],
  ['TEMPORAL_ADDRESS', 'temporal', 'TEMPORAL_ADDRESS is "temporal", but must be host:port.'],
  ['REFUND_ALERT_EMAIL', 'ops', 'REFUND_ALERT_EMAIL is "ops", but must be an e-mail address.'],
])('%s=%s is refused with what is allowed', (name, value, sentence) => {
  expect(() => parseSettings({ [name]: value })).toThrow(sentence);
});

test.each([
  ['DATABASE_URL', 'mysql://pos:hunter2@db:5432/pos', 'mysql://(hidden)@db:5432/pos'],
  ['DATABASE_URL', 'pos:hunter2@db:5432/pos', '(hidden)@db:5432/pos'],
  ['DATABASE_URL', 'mysql://pos:hunter2@x:hunter2/y@db/pos', 'mysql://(hidden)@db/pos'],
  ['DATABASE_URL', 'host=db user=pos password=hunter2 dbname=pos', 'host=db user=pos password=(hidden) dbname=pos'],
  ['SMTP_URL', 'mail://shop:hunter2@mail.test:587', 'mail://(hidden)@mail.test:587'],
  ['TEMPORAL_ADDRESS', 'http://pos:hunter2@temporal:7233', 'http://(hidden)@temporal:7233'],
])('a wrong %s is told without the password in it: %s', (name, value, told) => {
  const parse = () => parseSettings({ [name]: value });

  expect(parse).toThrow(`${name} is "${told}", but must`);
  expect(parse).not.toThrow('hunter2');
});
