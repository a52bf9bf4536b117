import { expect, test } from '@jest/globals';
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
  ['REFUND_ALERT_EMAIL', 'ops', 'REFUND_ALERT_EMAIL is "ops", but must be an e-mail address.'],
])('%s=%s is refused with what is allowed', (name, value, sentence) => {
  expect(() => parseSettings({ [name]: value })).toThrow(sentence);
});
