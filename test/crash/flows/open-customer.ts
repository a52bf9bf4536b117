import { randomUUID } from 'node:crypto';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import { countOf } from './count-of.ts';

/**
 * A create under a key: the account is there once, and the register hears that it opened it, also when another process
 * ran it in the end.
 */
export const openCustomer: CrashFlow = {
  id: 'F29',
  title: 'open a customer account',
  processes: ['api'],
  async prepare(lane) {
    const email = `${randomUUID()}@crash.example`;
    const request = { email, firstname: 'Ada', lastname: 'Lovelace', websiteId: 1, phone: '+15185550100' };
    const headers = { 'idempotency-key': randomUUID() };
    let said: unknown[] = [];
    return {
      async go() {
        const { status, body } = await lane.teller.press('POST', '/V1/pos/customers', { request }, headers);
        said = [status, body.success, body.errors];
      },
      faults: async () => [
        ...unlessEqual('the answer', said, [200, true, []]),
        ...unlessEqual('accounts', await countOf(lane, 'from customer where email = ?', email), 1),
        ...unlessEqual(
          'addresses',
          await countOf(
            lane,
            'from customer_address a join customer c on c.id = a.customer_id where c.email = ?',
            email,
          ),
          1,
        ),
      ],
      workflows: () => [],
    };
  },
};
