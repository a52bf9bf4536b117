import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, aKioskShop, type KioskShop } from '../../support/kiosk.ts';
import { rankSumPValue } from '../../support/rank-sum.ts';

/**
 * Who asks for codes must not learn who has an account: not by status, not by bytes, not by the clock.
 * `SAMPLES=400 npm test -- test/api/customers/one-time-code-oracle` listens longer.
 */
const samples = Number(process.env['SAMPLES'] ?? 200);
/** By chance alone one round in a hundred looks like a separation, three in a row one in a million. */
const rounds = 3;
const leastP = 0.01;

let shop: KioskShop;
beforeAll(async () => {
  shop = await aKioskShop();
  for (const [name, value] of Object.entries({
    otp_rate_limit_per_email_hour: '1000',
    otp_rate_limit_per_terminal_hour: '10000',
    otp_resend_cooldown_seconds: '0',
  }))
    await shop.set(`vendor_pos_advanced/self_checkout/${name}`, value);
});
afterAll(() => shop.close());

interface Seen {
  ms: number;
  /** All of the answer that does not tell the time or count requests. */
  shown: string;
}

async function seen(work: () => ReturnType<KioskShop['request']>): Promise<Seen> {
  const from = performance.now();
  const { status, body, headers } = await work();
  const ms = performance.now() - from;
  const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { ms, shown: JSON.stringify({ status, body, kept }) };
}

/** Both kinds of e-mail in turns, the order within each pair drawn anew, so that neither has the better moments. */
async function askInTurns(known: readonly string[], unknown: readonly string[]) {
  const found: Record<'request' | 'verify', { known: Seen[]; unknown: Seen[] }> = {
    request: { known: [], unknown: [] },
    verify: { known: [], unknown: [] },
  };
  for (let at = 0; at < samples; at++) {
    const pair = [
      ['known', known[at] ?? ''],
      ['unknown', unknown[at] ?? ''],
    ] as const;
    for (const [who, email] of Math.random() < 0.5 ? pair : pair.toReversed()) {
      found.request[who].push(await seen(() => shop.request(email)));
      found.verify[who].push(await seen(() => shop.verify(email, 'wrong!')));
    }
  }
  return found;
}

const pValue = ({ known, unknown }: { known: Seen[]; unknown: Seen[] }) =>
  rankSumPValue(
    known.map(({ ms }) => ms),
    unknown.map(({ ms }) => ms),
  );

test('known and unknown e-mails cannot be distinguished', async () => {
  const known = Array.from({ length: samples }, anEmail);
  const customer = { website_id: 1, store_id: 1, group_id: 1, firstname: 'Ada', lastname: 'Lovelace' };
  await shop.insertAll(
    'customer',
    known.map((email) => ({ ...customer, email })),
  );
  await askInTurns(known.slice(0, 20), known.slice(0, 20));

  const suspicious = { request: 0, verify: 0 };
  for (let round = 0; round < rounds; round++) {
    const found = await askInTurns(known, Array.from({ length: samples }, anEmail));
    for (const route of ['request', 'verify'] as const) {
      const { known: one, unknown: other } = found[route];
      expect(new Set([...one, ...other].map(({ shown }) => shown)).size).toBe(1);
      const p = pValue(found[route]);
      if (p < leastP) suspicious[route]++;
      if (process.env['SHOW_TIMES']) console.log(`round ${round + 1}, ${route}: p = ${p.toFixed(3)}`);
    }
    if (suspicious.request <= round && suspicious.verify <= round) break;
  }

  expect(suspicious.request).toBeLessThan(rounds);
  expect(suspicious.verify).toBeLessThan(rounds);
});

test('the measure notices a tenth of a millisecond between noisy samples, and nothing where there is nothing', () => {
  const noisy = (more: number) => Array.from({ length: samples }, (_, at) => 5 + ((at * 7919) % 401) / 800 + more);
  expect(rankSumPValue(noisy(0), noisy(0))).toBeGreaterThan(0.9);
  expect(rankSumPValue(noisy(0), noisy(0.1))).toBeLessThan(leastP);
});
