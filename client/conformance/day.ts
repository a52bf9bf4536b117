import type { SaleLine } from '../totals.ts';
import type { Exchange, Line, Trouble } from './line.ts';

/** One thing that a cashier does, as the register under test hears it: JSON, the same for every register. */
export interface Task {
  /** Counted from 1. */
  number: number;
  do: 'sell' | 'lay_away' | 'take_back' | 'read_settings' | 'catch_up';
  /** What happens on the line meanwhile, for people. */
  title: string;
  /** The buyer's address. It must stand in the order: the books are read by it. */
  email: string;
  lines: readonly SaleLine[];
  /** The first payment of a layaway. */
  deposit?: number;
  /** The sale that comes back whole, by its e-mail; the money goes back in cash. */
  of?: string;
}

/** What is to be done, and what the line does meanwhile. */
interface Planned {
  task: Omit<Task, 'number' | 'email' | 'lines'> & { lines?: readonly SaleLine[] };
  troubles?: readonly Trouble[];
  /** The line is down for as long as the task takes. */
  isOffline?: boolean;
}

/** A day as it was played: what was asked, and the first and last exchange of each task. */
export interface Day {
  tasks: readonly (Task & { from: number; to: number; isOffline: boolean })[];
  exchanges: readonly Exchange[];
}

/** A register under test. It is called with one task at a time, and may keep what it could not send. */
export type RegisterUnderTest = (task: Task) => Promise<void>;

export interface DayOptions {
  line: Line;
  register: RegisterUnderTest;
  /** Goods that are in stock. */
  goods: Pick<SaleLine, 'sku' | 'name' | 'productId'>;
  /** Goes into every address, so that a day can be played again over the same books. */
  run: string;
  say?: (sentence: string) => void;
}

const order = /^\/V1\/orders(?:\?|$)/;
const receipt = /^\/V1\/pos\/receipts(?:\?|$)/;
const invoice = /^\/V1\/order\/\d+\/invoice/;
const shipment = /^\/V1\/order\/\d+\/ship/;
const returned = /^\/V1\/pos\/rma(?:\?|$)/;
const settled = /^\/V1\/pos\/rma\/\d+\/settle/;
const payment = /^\/V1\/pos\/layaways\/\d+\/payments/;

const post = (path: RegExp, fault: Trouble['fault'], times = 1): Trouble => ({ method: 'POST', path, times, fault });
const coded = (outcome: string): Extract<Trouble['fault'], { kind: 'answered' }> => ({
  ...{ kind: 'answered', status: 409 },
  body: { message: 'It is not decided yet.', parameters: { outcome } },
});

/** Registers are called once more at the end, and must have sent all that waited after so many calls. */
const mostCatchUps = 3;

/** The script of the day. Each task is one way in which a line, a proxy or a busy service treats a register. */
const script: readonly Planned[] = [
  { task: { do: 'sell', title: 'A sale; nothing goes wrong' } },
  { task: { do: 'sell', title: 'The answer to the order is lost' }, troubles: [post(order, { kind: 'answer_lost' })] },
  { task: { do: 'sell', title: 'The order never arrives, twice' }, troubles: [post(order, { kind: 'cut' }, 2)] },
  {
    task: { do: 'sell', title: 'The service is busy when the invoice comes' },
    troubles: [post(invoice, { kind: 'answered', status: 503, retryAfterSeconds: 1 })],
  },
  {
    task: { do: 'sell', title: 'The same shipment is at work: 409' },
    troubles: [post(shipment, { ...coded('idempotency_key_in_use'), retryAfterSeconds: 1 })],
  },
  {
    task: { do: 'sell', title: 'A proxy gives the receipt up: 504. The service does not' },
    troubles: [post(receipt, { kind: 'answered_after', status: 504 })],
  },
  {
    task: { do: 'sell', title: 'Half of the answers to order and shipment arrive' },
    troubles: [post(order, { kind: 'half_an_answer' }), post(shipment, { kind: 'half_an_answer' })],
  },
  {
    task: { do: 'sell', title: 'The network sends order and invoice twice' },
    troubles: [post(order, { kind: 'twice' }), post(invoice, { kind: 'twice' })],
  },
  {
    task: { do: 'sell', title: 'Three at 0.35 with 7 % tax: sums that floats get wrong' },
  },
  { task: { do: 'sell', title: 'A sale without a line' }, isOffline: true },
  { task: { do: 'sell', title: 'Another sale without a line' }, isOffline: true },
  { task: { do: 'catch_up', title: 'The line is back' } },
  {
    task: { do: 'lay_away', title: 'The answer to a deposit is lost', deposit: 5 },
    troubles: [post(payment, { kind: 'answer_lost' })],
  },
  {
    task: { do: 'take_back', title: 'The answers to a return and to its settle are lost', of: '1' },
    troubles: [post(returned, { kind: 'answer_lost' }), post(settled, { kind: 'answer_lost' })],
  },
  {
    task: { do: 'take_back', title: 'It is not known whether the money went back: 409 gateway_uncertain', of: '2' },
    troubles: [post(returned, coded('gateway_uncertain'))],
  },
  {
    task: { do: 'read_settings', title: 'A heartbeat says that the settings changed' },
    troubles: [post(/\/heartbeat/, { kind: 'changed', body: { config_hash: 'another-hash' } })],
  },
];

const oddLine = { qty: 3, price: 0.35, taxPercent: 7 };

/** Plays the day. It ends also where the register fails: what it did is in the books. */
export async function playDay({ line, register, goods, run, say = () => undefined }: DayOptions): Promise<Day> {
  const tasks: Day['tasks'][number][] = [];
  const emailOf = (number: number | string) => `conformance-${run}-${number}@example.com`;
  const play = async ({ task, troubles = [], isOffline = false }: Planned) => {
    const number = tasks.length + 1;
    const usual = number === 9 ? oddLine : { qty: 1, price: 10 + number, taxPercent: 8 };
    const given: Task = {
      ...{ number, email: emailOf(number) },
      ...task,
      ...(task.of === undefined ? {} : { of: emailOf(task.of) }),
      lines: task.do === 'sell' || task.do === 'lay_away' ? [{ ...goods, ...usual }] : [],
    };
    say(`${number}. ${given.title}`);
    line.plan(troubles);
    if (isOffline) line.down();
    const from = line.exchanges.length;
    await register(given).catch((error: unknown) => say(`   The register failed: ${String(error)}`));
    line.up();
    tasks.push({ ...given, from, to: line.exchanges.length, isOffline });
  };
  for (const planned of script) await play(planned);
  for (let calls = 0; calls < mostCatchUps; calls++) {
    const before = line.exchanges.length;
    await play({ task: { do: 'catch_up', title: 'The evening: everything that waited is sent' } });
    if (line.exchanges.length === before) break;
  }
  line.plan([]);
  return { tasks, exchanges: line.exchanges };
}
