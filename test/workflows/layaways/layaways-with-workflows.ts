import { afterAll, beforeAll } from '@jest/globals';
import type { Row } from '../../support/books/cells.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { waitUntil } from '../../support/wait-until.ts';

export let flow: Flow;
export let register: ReturnType<typeof aLayawayRegister>;

/** A whole shop and one register of it. */
export function opensAShop(): void {
  beforeAll(async () => {
    flow = await aFlow();
    register = aLayawayRegister(flow);
  });
  afterAll(() => flow.close());
}

export const handle = (orderId: number) => flow.client.workflow.getHandle(`layaway-${orderId}`);
const runs = (orderId: number) => async () => {
  try {
    return (await handle(orderId).describe()).status.name === 'RUNNING';
  } catch {
    return false;
  }
};
export const followed = async (orderId: number) => {
  await waitUntil(`layaway ${orderId} is followed`, runs(orderId));
  await waitUntil(`layaway ${orderId} was looked at`, async () => (await view(orderId)).status !== 'loading');
};
export const ended = async (orderId: number) => {
  await waitUntil(`the life of layaway ${orderId} is over`, async () => !(await runs(orderId)()));
  return handle(orderId).result();
};
export const view = (orderId: number) => handle(orderId).query<{ status: string; expiresAt: string | null }>('state');
export const statusOf = async (orderId: number) =>
  (await register.order(orderId)).extension_attributes.pos_layaway_status as string;
/** As a register does in a crowd: 503 says that nothing was booked, so it sends the same again. */
export const payPatiently = async (orderId: number, reference: string, amount = 43.2) => {
  for (;;) {
    const answer = await register.pay(orderId, amount, { reference });
    if (answer.status !== 503) return answer;
  }
};
export const sweep = (name: string) =>
  flow.client.workflow.execute('expireLayaways', { taskQueue: flow.taskQueue, workflowId: name, args: [] });
/** How many timers of its workflow were started, and how many were stopped. */
export const timers = async (orderId: number) => {
  const { events } = await handle(orderId).fetchHistory();
  const count = (key: string) => (events ?? []).filter((event) => Reflect.get(event, key)).length;
  return [count('timerStartedEventAttributes'), count('timerCanceledEventAttributes')];
};
/** What a layaway can be, how its order says so, and whether its workflow goes on. */
export const standings: readonly [status: string, stands: Row, expected: string][] = [
  ['open', { pos_layaway_status: 'open' }, 'RUNNING'],
  ['stale', { pos_layaway_status: 'stale' }, 'RUNNING'],
  ['ready_to_settle', { pos_layaway_status: 'ready_to_settle', total_paid: 108, base_total_paid: 108 }, 'RUNNING'],
  ['cancelled', { pos_layaway_status: 'cancelled', state: 'canceled' }, 'COMPLETED'],
  ['none', { pos_layaway_status: null }, 'COMPLETED'],
];
