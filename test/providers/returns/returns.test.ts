import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { settingDefaults } from '../../../domain/configuration/setting-defaults.ts';
import { PosError } from '../../../domain/errors.ts';
import { pieces } from '../../../domain/money.ts';
import { freePort } from '../../../local/free-port.ts';
import { type ReturnsSimulator, startReturnsSimulator } from '../../../local/simulators/app.ts';
import type { ReturnsMood } from '../../../local/simulators/returns.ts';
import { NotAttempted, createReturns, type ReturnsProvider, type ReturnToTakeOn } from '../../../providers/returns.ts';
import { openWords, sealWords } from '../../../providers/returns/sealed-words.ts';
import { testSecrets } from '../../support/fakes.ts';
import { eightAtOnce } from '../../support/rivals.ts';

describe('returns provider', () => {
  let warehouse: ReturnsSimulator;
  beforeAll(async () => {
    warehouse = await startReturnsSimulator();
  });
  afterAll(() => warehouse.stop());
  beforeEach(() => {
    warehouse.mood = 'answers';
    warehouse.objections.clear();
  });

  /** Long enough for a busy machine; who hangs takes all of it. */
  const timeoutMs = () => (warehouse.mood.startsWith('hangs') ? 500 : 10_000);

  const poolAt = (baseUrl: string) =>
    createReturns({
      remote: { baseUrl, apiKey: 'key', timeoutMs: timeoutMs() },
      readSetting: (path) => Promise.resolve(settingDefaults[path] ?? ''),
    });
  const providerNamed = (code: string, baseUrl = warehouse.url): ReturnsProvider => poolAt(baseUrl).byCode(code)!;

  const wish = (more: Partial<ReturnToTakeOn> = {}): ReturnToTakeOn => ({
    requestKey: 'run-1',
    orderIncrementId: '000000001',
    storeId: 1,
    lines: [{ orderItemId: 7, sku: 'MUG', qty: pieces(1), reason: null, condition: 'Opened', resolution: 'Refund' }],
    ...more,
  });

  /** What every returns provider has to keep to; a new one joins the list. */
  describe.each(['builtin', 'warehouse'])('the returns provider "%s"', (code) => {
    test('offers reasons and conditions without behaviour, and resolutions with it', async () => {
      const { reasons, conditions, resolutions } = await providerNamed(code).options(1);
      expect([reasons, conditions, resolutions].every((list) => list.length > 0)).toBe(true);
      for (const { behavior, isStoreCredit } of [...reasons, ...conditions])
        expect([behavior, isStoreCredit]).toEqual([null, null]);
      for (const { behavior, isStoreCredit } of resolutions) {
        expect(['refund', 'exchange', 'unsupported']).toContain(behavior);
        expect(typeof isStoreCredit).toBe('boolean');
      }
      const ids = [reasons, conditions, resolutions].flatMap((list) => list.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('objects only to what it was set to refuse', async () => {
      const { orderIncrementId, storeId, lines } = wish();
      expect(await providerNamed(code).vendorRule({ orderIncrementId, storeId, lines })).toEqual({
        order: null,
        lines: {},
      });
    });

    test('takes the same wish on once, however often and however concurrently it is asked', async () => {
      const provider = providerNamed(code);
      const request = wish({ requestKey: `same-${code}` });
      const answers = await eightAtOnce(() => provider.takeOn(request));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect([...warehouse.returns.keys()].filter((key) => key === request.requestKey).length).toBe(
        code === 'warehouse' ? 1 : 0,
      );
    });

    test('passes on another provider’s return, and takes its own', async () => {
      const others = { existing: { providerCode: 'somebody', reference: 'X-1' } };
      await expect(providerNamed(code).takeOn(wish(others))).rejects.toThrow(NotAttempted);
      const own = { requestKey: `own-${code}`, existing: { providerCode: code, reference: 'WR-9' } };
      expect(await providerNamed(code).takeOn(wish(own))).toBeDefined();
    });
  });

  describe('the warehouse, when things go wrong', () => {
    const takeOn = (requestKey: string) => providerNamed('warehouse').takeOn(wish({ requestKey }));

    test('a call that never left the shop does not count as an attempt', async () => {
      const nobody = providerNamed('warehouse', `http://127.0.0.1:${await freePort()}`);
      await expect(nobody.takeOn(wish())).rejects.toThrow(NotAttempted);
    });

    test('a provider that says it has not begun made no attempt', async () => {
      warehouse.mood = 'passes';
      await expect(takeOn('passed')).rejects.toThrow(NotAttempted);
      expect(warehouse.returns.has('passed')).toBe(false);
    });

    test('a documented no is a refusal with its message', async () => {
      warehouse.mood = 'refuses';
      const no = await takeOn('refused').catch((error: unknown) => error);
      expect(no).toBeInstanceOf(PosError);
      expect(no).toMatchObject({ status: 400, message: 'The warehouse does not take this product.' });
    });

    test.each<[ReturnsMood, string]>([
      ['hangs', 'did not answer in time'],
      ['hangs_after_writing', 'did not answer in time'],
      ['drops_after_writing', 'broke the connection off'],
      ['babbles', 'something unreadable'],
    ])('when it %s, the outcome is unknown: neither a pass nor a no', async (mood, said) => {
      warehouse.mood = mood;
      const thrown = await takeOn(mood).catch((error: unknown) => error);
      expect(thrown).not.toBeInstanceOf(NotAttempted);
      expect(thrown).not.toBeInstanceOf(PosError);
      expect(String(thrown)).toContain(said);
    });

    test('asked again under the same key after a lost answer, it names the return it wrote', async () => {
      warehouse.mood = 'drops_after_writing';
      await takeOn('lost').catch(() => undefined);
      warehouse.mood = 'answers';
      expect(await takeOn('lost')).toEqual({
        reference: warehouse.returns.get('lost')!.returnNumber,
        isRestockedHere: false,
      });
    });

    test('an objection is a verdict, and an unreadable answer is not', async () => {
      warehouse.objections.set(0, 'Blocked.').set(7, 'Hygiene.');
      const { orderIncrementId, storeId, lines } = wish();
      const sale = { orderIncrementId, storeId, lines };
      expect(await providerNamed('warehouse').vendorRule(sale)).toEqual({
        order: 'Blocked.',
        lines: { 7: 'Hygiene.' },
      });
      warehouse.objections.set(7, '');
      await expect(providerNamed('warehouse').vendorRule(sale)).rejects.toMatchObject({ status: 503 });
    });
  });

  test.each([
    ['builtin', ['builtin']],
    ['builtin,warehouse', ['warehouse', 'builtin']],
    [' warehouse ', ['warehouse']],
    ['', []],
    ['somebody', []],
  ])('a store set to "%s" works with them in the order of the registry: %s', async (setting, codes) => {
    const pool = createReturns({
      remote: { baseUrl: warehouse.url, apiKey: undefined, timeoutMs: timeoutMs() },
      readSetting: () => Promise.resolve(setting),
    });
    expect((await pool.inOrder(1)).map(({ code }) => code)).toEqual(codes);
  });
});

describe('sealed words', () => {
  const words = { comment: 'She says “too big” — für Lea', goods: [{ reason: 'Größe', condition: null }] };

  test('what people wrote cannot be read on its way, and is the same at its end', () => {
    const sealed = sealWords(testSecrets, words);
    expect(sealed).not.toMatch(/too big|für Lea|Größe/);
    expect(openWords(testSecrets, sealed)).toEqual(words);
  });

  test('the same words are sealed differently each time: nobody can compare them', () => {
    expect(sealWords(testSecrets, words)).not.toBe(sealWords(testSecrets, words));
  });

  test.each([
    ['nothing', {}],
    ['an empty comment', { comment: '' }],
    ['no comment', { comment: null }],
    ['lines without words', { goods: [{ reason: null, condition: null }] }],
  ])('where people wrote %s nothing is sent', (_what, said) => {
    const sealed = sealWords(testSecrets, said);
    expect(sealed).toBeNull();
    expect(openWords(testSecrets, sealed)).toEqual({});
  });

  test.each([{ goods: [{ reason: 'Size', condition: null }] }, { goods: [{ reason: null, condition: 'Damaged' }] }])(
    'one word of one line is something: %j',
    (said) => {
      expect(openWords(testSecrets, sealWords(testSecrets, said))).toEqual(said);
    },
  );

  test('a worker with another key does not open them, and says so', () => {
    const other = createSecretBox(Buffer.alloc(32, 8).toString('base64'));
    expect(() => openWords(other, sealWords(testSecrets, words))).toThrow();
  });

  test('sealed words of something else are not taken for them', () => {
    expect(() => openWords(testSecrets, testSecrets.seal(JSON.stringify(words), 'something else'))).toThrow();
  });
});
