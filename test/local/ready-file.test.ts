import { expect, test } from 'vitest';
import { shownSettings } from '../../local/ready-file.ts';
import { parseSettings } from '../../providers/settings.ts';

test('the operator’s tool is told the queue and whom a refund’s alarm goes to, and no password', () => {
  const settings = shownSettings(
    parseSettings({
      TEMPORAL_TASK_QUEUE: 'shop2',
      REFUND_ALERT_EMAIL: 'ops@shop.test',
      SMTP_URL: 'smtp://till:s3cret@mail.shop.test:587',
      RETURNS_SERVICE_KEY: 's3cret',
      TEMPORAL_API_KEY: 's3cret',
    }),
  );
  expect(settings).toMatchObject({
    TEMPORAL_TASK_QUEUE: 'shop2',
    REFUND_ALERT_EMAIL: 'ops@shop.test',
    REFUND_ALERT_AFTER_MINUTES: '0',
    SMTP_URL: 'smtp://mail.shop.test:587',
  });
  expect(JSON.stringify(settings)).not.toContain('s3cret');
});
