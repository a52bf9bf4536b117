import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { setUpTemporal } from '../../../cli/set-up-temporal.ts';
import { createOrm } from '../../../db/orm.ts';
import { clearLoginFailures, reserveLoginAttempt } from '../../../db/staff/login-attempts.ts';
import { freePort } from '../../../local/free-port.ts';
import { type MailCatcher, startMailCatcher } from '../../../local/mail-catcher.ts';
import { checkBacklog, checkProviders, checkTemporal } from '../../../providers/doctor/check-temporal.ts';
import { checkMail, checkOutside, checkSettings } from '../../../providers/doctor/diagnose.ts';
import {
  askTwice,
  broken,
  type Check,
  type DoctorContext,
  ok,
  spoken,
  warning,
} from '../../../providers/doctor/check.ts';
import { english, german } from '../../../providers/doctor/words.ts';
import { parseSettings } from '../../../providers/settings.ts';
import { commandContextOf } from '../../cli/support.ts';
import { booksOf } from '../../support/books.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { hoursAgo } from '../../support/moments.ts';
import { testDatabase, testDatabaseUrl } from '../../support/database.ts';
import { moveClock, stopClock } from '../../support/stopped-clock.ts';

const inEnglish = async (checks: Promise<Check[]>) => (await checks).map((check) => spoken(check));

describe('ask twice', () => {
  /** Answers one after the other, as a service does that starts anew. */
  const answering = (...answers: Parameters<typeof Promise.resolve>[0][]) => {
    let asked = 0;
    return { ask: async () => [answers[asked++]] as never, count: () => asked };
  };

  test('doctor asks again before it says BROKEN, and believes the second answer', async () => {
    const restarting = answering(broken('api', 'does not answer', 'start it'), ok('api', 'answers'));
    const away = answering(broken('api', 'was away', 'start it'), broken('api', 'is away', 'start it'));

    expect(await askTwice(restarting.ask, 0)).toEqual([ok('api', 'answers')]);
    expect(await askTwice(away.ask, 0)).toEqual([broken('api', 'is away', 'start it')]);
  });

  test('doctor asks once where nothing is broken', async () => {
    const fine = answering(warning('mail', 'no relay is set', 'set SMTP_URL'));

    await askTwice(fine.ask, 0);
    expect(fine.count()).toBe(1);
  });
});

describe('words', () => {
  const said = (words: object): [string, unknown][] =>
    Object.entries(words).filter(([name]) => name !== 'names' && name !== 'kinds');
  /** Each sentence with the same things in it, as marks. */
  const inMarks = (sentence: unknown) =>
    typeof sentence === 'function'
      ? String((sentence as (...given: string[]) => string)('‹a›', '‹b›', '‹c›')).replaceAll('\u00a0', ' ')
      : String(sentence);
  const marksIn = (text: string) => [...text.matchAll(/‹.›/g)].map(([mark]) => mark).toSorted();

  test('doctor has a German sentence of its own for each English one, which tells the same things', () => {
    const germanOnes = new Map(said(german));
    for (const [name, sentence] of said(english)) {
      const [one, other] = [inMarks(sentence), inMarks(germanOnes.get(name))];
      expect([name, one === other]).toEqual([name, false]);
      expect([name, marksIn(other)]).toEqual([name, marksIn(one)]);
    }
  });
});

describe('check backlog', () => {
  let orm: MikroORM;
  beforeAll(async () => {
    const url = await testDatabaseUrl();
    await stopClock(url);
    orm = await createOrm(url);
  });
  afterAll(() => orm.close());

  const { fork, insert, remove, rows } = booksOf(() => orm);

  const key = 'ada@shop.test';
  const wait = (seconds: number) => rows(moveClock, seconds);
  const signIn = async () => (await checkBacklog(commandContextOf(orm))).find(({ name }) => name === 'sign-in')?.state;

  /** As often as the ladder allows: the seconds it takes. */
  async function guess(times: number): Promise<number> {
    let seconds = 0;
    for (let guessed = 0; guessed < times;) {
      const pause = await reserveLoginAttempt(fork(), key);
      if (pause === 0) guessed++;
      await wait(pause);
      seconds += pause;
    }
    return seconds;
  }

  test('doctor tells of events without a place, and of endpoints that take none, the gravest first', async () => {
    const events = async () => {
      const found = (await checkBacklog(commandContextOf(orm))).find(({ name }) => name === 'events');
      return found && spoken(found);
    };
    expect(await events()).toMatchObject({ state: 'ok', says: 'each has its place, and every endpoint takes them' });
    const failing = { url: 'https://erp.example', sealed_secret: 'x', failing_since: hoursAgo(2) };
    await insert('webhook_endpoint', failing);
    expect(await events()).toMatchObject({ says: '1 endpoints take nothing for an hour' });
    await insert('webhook_endpoint', { ...failing, state: 'paused' });
    expect(await events()).toMatchObject({ state: 'warning', says: '1 endpoints are paused' });
    const event = { type: 'stock.moved', object_kind: 'stock', object_id: 'MUG', occurred_at: hoursAgo(1) };
    await insert('pos_event', event);
    expect(await events()).toMatchObject({
      says: expect.stringMatching(/^some have no place in the feed for 36\d\d s$/),
    });
    await remove('webhook_endpoint');
    await remove('pos_event');
  });

  test('doctor names an address that was guessed at for half a day, not a person who forgot a passcode', async () => {
    await guess(15);
    expect(await signIn()).toBe('ok');

    await clearLoginFailures(fork(), key);
    expect(await guess(30)).toBeLessThan(43_200);
    expect(await signIn()).toBe('warning');
  });
});

describe('check mail', () => {
  let relay: MailCatcher;
  beforeAll(async () => {
    relay = await startMailCatcher({ smtpPort: 0, webPort: 0 });
  });
  afterAll(() => relay.stop());

  /** `state name says → fix` of each line. */
  const said = async (environment: Record<string, string>, ready?: { mail: string }) => {
    const settings = parseSettings(environment);
    const lines = await checkMail({ settings, ready } as DoctorContext);
    return lines
      .map((line) => spoken(line))
      .map(({ state, name, says, fix }) => `${state} ${name}: ${says}${fix === undefined ? '' : ` → ${fix}`}`);
  };
  const operators = { REFUND_ALERT_EMAIL: 'ops@shop.test', REFUND_ALERT_AFTER_MINUTES: '15' };

  test('a relay that answers, a sender of one’s own and operators who are told: all is well', async () => {
    const mails = { SMTP_URL: relay.smtpUrl, MAIL_FROM: 'Main Street <till@shop.test>', ...operators };
    expect(await said(mails)).toEqual([
      `ok mail: relay at ${new URL(relay.smtpUrl).host}`,
      'ok sender: Main Street <till@shop.test>',
      'ok alarms: ops@shop.test gets a mail when a refund is uncertain for 15 min, for 4 h, for a day',
    ]);
  });

  test('a sender that is an example, and no operator to tell', async () => {
    expect(await said({ SMTP_URL: relay.smtpUrl })).toEqual([
      expect.stringMatching(/^ok mail/),
      "warning sender: mail comes from shop@example.com, which is nobody's → set MAIL_FROM",
      'warning alarms: no address is set: the first administrator hears of refunds in doubt → set REFUND_ALERT_EMAIL',
    ]);
  });

  test('operators cannot be told: the relay is away, or not set', async () => {
    const away = await said({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, ...operators });
    expect(away).toEqual([
      expect.stringMatching(/^broken mail: the relay does not answer \(.+\) → correct SMTP_URL$/),
      expect.stringMatching(/^warning sender/),
      expect.stringMatching(
        /^broken alarms: ops@shop\.test cannot get mail: the relay does not answer \(.+\) → correct SMTP_URL$/,
      ),
    ]);
    expect(await said(operators)).toEqual([
      'warning mail: no relay is set: no mail is sent → set SMTP_URL',
      'broken alarms: ops@shop.test cannot get mail: no relay is set: no mail is sent → set SMTP_URL',
    ]);
  });

  test('a mail catcher that is away is started by npm start, not by a relay’s address', async () => {
    const [mail] = await said({}, { mail: `http://127.0.0.1:${await freePort()}` });

    expect(mail).toMatch(/^broken mail: the mail catcher does not answer \(.+\) → run npm start$/);
  });

  test('under npm start mail is caught, and operators are told there', async () => {
    expect(await said(operators, { mail: relay.url })).toEqual([
      `ok mail: caught at ${relay.url}`,
      expect.stringMatching(/^ok alarms/),
    ]);
  });
});

describe('check outside', () => {
  let orm: MikroORM;
  let service: http.Server;
  let there: string;
  let away: string;
  beforeAll(async () => {
    orm = await testDatabase();
    service = http.createServer((_, response) => void response.writeHead(404).end());
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    there = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    away = `http://127.0.0.1:${await freePort()}`;
  });
  afterAll(async () => {
    service.close();
    await orm.close();
  });

  const { configure } = booksOf(() => orm);

  const around = (environment: Record<string, string>) =>
    commandContextOf(orm, { settings: parseSettings(environment) });

  test('doctor asks the service that keeps credit, where there is one', async () => {
    const said = async (environment: Record<string, string>) =>
      (await inEnglish(checkOutside(around(environment)))).filter(({ name }) => name === 'credits');

    expect(await said({})).toEqual([]);
    expect(await said({ CREDIT_SERVICE_URL: there })).toMatchObject([{ state: 'ok', says: `service at ${there}` }]);
    expect(await said({ CREDIT_SERVICE_URL: away })).toMatchObject([
      { state: 'broken', fix: 'start it, or correct CREDIT_SERVICE_URL' },
    ]);
  });

  test('a license service that is away stops no register that is licensed', async () => {
    expect(await inEnglish(checkOutside(around({ LICENSE_SERVICE_URL: away })))).toContainEqual(
      expect.objectContaining({
        name: 'license',
        state: 'warning',
        says: expect.stringMatching(/licensed registers still work$/),
      }),
    );
  });

  test('a service of insights that is away leaves profiles without its sections, and no more', async () => {
    const said = async (url: string) =>
      (await inEnglish(checkOutside(around({ INSIGHTS_SERVICE_URL: url })))).filter(({ name }) => name === 'insights');

    expect(await said(there)).toMatchObject([{ state: 'ok', says: `service at ${there}` }]);
    expect(await said(away)).toMatchObject([
      {
        state: 'warning',
        says: expect.stringMatching(/without its sections$/),
        fix: expect.stringMatching(/INSIGHTS_/),
      },
    ]);
  });

  test('doctor asks the returns department a store works with, before it says that all is well', async () => {
    await configure('vendor_pos_terminal/returns/providers', 'warehouse');
    const said = async (url: string) =>
      (await inEnglish(checkProviders(around({ RETURNS_SERVICE_URL: url })))).filter(({ name }) => name === 'returns');

    expect(await said(there)).toMatchObject([{ state: 'ok', says: `department at ${there}` }]);
    expect(await said(away)).toMatchObject([{ state: 'broken', fix: 'start it, or correct RETURNS_SERVICE_URL' }]);
  });

  test('a TLS file that cannot be read is told by its own name, not as a server that is away', async () => {
    const lines = await inEnglish(
      checkTemporal(around({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_TLS_CA: '/nowhere/ca.crt' })),
    );

    expect(lines).toMatchObject([
      { state: 'broken', says: expect.stringMatching(/^TEMPORAL_TLS_CA names a file that cannot be read/) },
    ]);
    expect(lines[0]?.fix).not.toContain('TEMPORAL_ADDRESS');
  });
});

describe('check settings', () => {
  const orm = useDatabase();
  beforeAll(() => aShop(fork()));

  const { fork, configure } = booksOf(() => orm);
  const found = async () =>
    (await inEnglish(checkSettings(commandContextOf(orm)))).map(({ state, says }) => [state, says]);

  test('doctor names settings that name what is not there, each of a list, and nothing else', async () => {
    await configure('vendor_pos_terminal/catalog/custom_sale_sku', 'mug');
    await configure('vendor_pos_terminal/orders/default_status', 'complete');
    await configure('vendor_pos_advanced/credit_limits/groups', '1:5000');
    await configure('vendor_pos_terminal/receipt/footer', '77, 78');
    expect(await found()).toEqual([['ok', 'what settings name is there']]);

    await configure('vendor_pos_terminal/catalog/categories', '2, 4711');
    await configure('vendor_pos_terminal/pickup/completed_status_code', 'fetched');
    await configure('vendor_pos_advanced/credit_limits/groups', '1:5000,99:1');
    await configure('vendor_pos_terminal/credits/excluded_skus', 'MUG,GONE');
    expect(await found()).toEqual([
      ['warning', 'vendor_pos_advanced/credit_limits/groups names "99", which is not there'],
      ['warning', 'vendor_pos_terminal/catalog/categories names "4711", which is not there'],
      ['warning', 'vendor_pos_terminal/credits/excluded_skus names "GONE", which is not there'],
      ['warning', 'vendor_pos_terminal/pickup/completed_status_code names "fetched", which is not there'],
    ]);
  });
});

describe('check temporal', () => {
  const address = process.env['TEST_TEMPORAL'] ?? '';
  const noDatabase = {} as Parameters<typeof commandContextOf>[0];

  /** A shop whose namespace nobody made yet. */
  const aShop = (settings: Record<string, string> = {}) =>
    commandContextOf(noDatabase, {
      settings: parseSettings({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: `shop-${randomUUID()}`, ...settings }),
      now: () => new Date(),
    });

  const setUp = 'npm run pos -- temporal set-up';

  test('on a server without the namespace doctor names the one command that makes it, and the command does', async () => {
    const shop = aShop();
    const namespace = shop.settings.TEMPORAL_NAMESPACE;
    expect(await inEnglish(checkTemporal(shop))).toMatchObject([
      { name: 'temporal', state: 'ok' },
      { name: 'namespace', state: 'broken', says: `"${namespace}" does not exist`, fix: setUp },
    ]);

    const { text, isFine } = await setUpTemporal(shop);

    expect([text, isFine]).toEqual([
      expect.stringMatching(
        new RegExp(`^The namespace "${namespace}" at ${address} is ready: made the namespace, with`),
      ),
      true,
    ]);
    expect(await inEnglish(checkTemporal(shop))).toMatchObject([
      { name: 'temporal', state: 'ok' },
      { name: 'namespace', state: 'ok' },
      { name: 'search attributes', state: 'ok', says: 'all 7 are registered' },
      { name: 'worker', state: 'broken', fix: 'npm run worker' },
      { name: 'workflows', state: 'ok', says: 'none fails' },
    ]);
    expect(await setUpTemporal(shop)).toMatchObject({ text: expect.stringContaining('nothing was missing') });
  });

  test('doctor says that closed workflows are forgotten early and which search attributes are missing', async () => {
    const shop = aShop();
    const connection = await Connection.connect({ address });
    await connection.workflowService.registerNamespace({
      namespace: shop.settings.TEMPORAL_NAMESPACE,
      workflowExecutionRetentionPeriod: msToTs('3 days'),
    });
    await connection.close();

    expect(await inEnglish(checkTemporal(shop))).toMatchObject([
      { name: 'temporal', state: 'ok' },
      { name: 'namespace', state: 'warning', says: expect.stringContaining('before 30 days are over'), fix: setUp },
      { name: 'search attributes', state: 'broken', says: expect.stringMatching(/^missing: PosStatus, /), fix: setUp },
      { name: 'worker', state: 'broken' },
      { name: 'workflows', state: 'ok', says: 'none fails' },
    ]);
  });

  test('a server that does not answer is one sentence of the set-up, and so is one that has no address', async () => {
    await expect(setUpTemporal(aShop({ TEMPORAL_ADDRESS: '127.0.0.1:9' }))).rejects.toThrow(
      /^No Temporal server answers at 127\.0\.0\.1:9 \(.*\); start it, or correct TEMPORAL_ADDRESS\.$/,
    );
    await expect(setUpTemporal(commandContextOf(noDatabase))).rejects.toThrow(/^TEMPORAL_ADDRESS is not set/);
  });

  test('a name that the server refuses is one sentence of the set-up', async () => {
    await expect(setUpTemporal(aShop({ TEMPORAL_NAMESPACE: 'x'.repeat(2_000) }))).rejects.toThrow(
      /^The namespace "x+" at .* could not be made \(.+\); on a server of others let its owner make it\.$/,
    );
  });
});
