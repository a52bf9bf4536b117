import { randomUUID } from 'node:crypto';
import { aTerminal } from '../../support/builders/counter.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import { countOf } from './count-of.ts';

const api = ['api'] as const;
const none = () => [];

export const heldCart: CrashFlow = {
  id: 'F15',
  title: 'hold a cart, recall it, delete it',
  processes: api,
  async prepare(lane) {
    const heldCart = {
      location_id: lane.shop.locationId,
      cart_uuid: randomUUID(),
      cart_data: '{"lines":[]}',
      item_count: 1,
      grand_total: 10,
      currency_code: 'USD',
    };
    const statuses: number[] = [];
    return {
      async go() {
        const held = await lane.teller.press('POST', '/V1/pos/held-carts', { heldCart });
        const id: number = held.body.held_cart_id;
        const recalled = await lane.teller.press('POST', `/V1/pos/held-carts/${id}/recall`, { staffId: 1 });
        const gone = await lane.teller.press('DELETE', `/V1/pos/held-carts/${id}`);
        statuses.push(held.status, recalled.status, gone.status);
      },
      // A recall or a delete whose answer was lost is told, when pressed again, that it has happened.
      faults: async () => [
        ...(statuses[0] === 200 ? [] : [`the cart was held with ${statuses[0]}`]),
        ...statuses
          .slice(1)
          .filter((status) => status >= 500)
          .map((status) => `an answer of ${status}`),
        ...unlessEqual(
          'carts left',
          await countOf(lane, 'from pos_held_cart where cart_uuid = ?', heldCart.cart_uuid),
          0,
        ),
      ],
      workflows: none,
    };
  },
};

export const telemetryBatch: CrashFlow = {
  id: 'F16',
  title: 'submit a batch of telemetry',
  processes: api,
  async prepare(lane) {
    const device = randomUUID();
    const events = [1, 2, 3].map((value) => ({
      event_type: 'counter',
      event_name: 'checkout_completed',
      value,
      recorded_at: new Date().toISOString().slice(0, 19).replace('T', ' '),
    }));
    let status = 0;
    return {
      async go() {
        const payload = { location_id: 1, terminal_id: 1, device_id: device, app_version: '1', events };
        ({ status } = await lane.teller.press('POST', '/V1/pos/telemetry', { payload }));
      },
      faults: async () => {
        const stored = await countOf(lane, 'from pos_telemetry_event where device_id = ?', device);
        return [
          ...unlessEqual('the answer', status, 200),
          ...(stored > 0 && stored % events.length === 0 ? [] : [`${stored} events stored of a batch of 3`]),
        ];
      },
      workflows: none,
    };
  },
};

export const activation: CrashFlow = {
  id: 'F17',
  title: 'activate a terminal',
  processes: api,
  async prepare(lane) {
    const em = lane.orm.em.fork();
    const { terminalId } = await aTerminal(em, { deviceIdentifier: null });
    const [row] = await em.execute<{ activation_code: string }[]>(
      'select activation_code from pos_terminal where terminal_id = ?',
      [terminalId],
    );
    const deviceIdentifier = randomUUID();
    let last = 0;
    return {
      async go() {
        const body = { activationCode: row?.activation_code, deviceIdentifier };
        ({ status: last } = await lane.teller.press('POST', '/V1/pos/terminals/activate', body));
      },
      faults: async () => [
        ...(last < 500 ? [] : [`an answer of ${last}`]),
        ...unlessEqual(
          'terminals bound to the device',
          await countOf(lane, 'from pos_terminal where device_identifier = ?', deviceIdentifier),
          1,
        ),
      ],
      workflows: none,
    };
  },
};

export const registerFlows = [heldCart, telemetryBatch, activation];
