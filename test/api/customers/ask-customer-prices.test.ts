import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { noteStatements } from '../../../bench/support.ts';
import { Product, type TierPrice } from '../../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { StoreView, Website } from '../../../db/platform/stores/store.entity.ts';
import { ContractPrice } from '../../../db/prices/contract-price.entity.ts';
import { unavailable } from '../../../domain/errors.ts';
import { money, pieces } from '../../../domain/money.ts';
import type { CustomerValidator } from '../../../providers/customer-validators.ts';
import type { PriceResolver } from '../../../providers/prices.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { anEmail } from '../../support/kiosk.ts';
import { inMinutes } from '../../support/moments.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import {
  api,
  codesOf,
  draft,
  locations,
  opensAShop,
  rowsOf,
  selection,
  set,
  validate,
  vendor,
} from './a-customer-form.ts';
import { notAsked, opensAKiosk, section, shop, wrong } from './codes-at-a-kiosk.ts';

describe('ask customer prices', () => {
  const everyGroup = 32_000;
  const wholesale = 2;
  const tier = (qty: number, price: string, more: Partial<TierPrice> = {}): TierPrice => ({
    customerGroupId: wholesale,
    websiteId: 0,
    qty: pieces(qty),
    value: money(price),
    ...more,
  });

  /** A module with companies, as this test's vendor has it. */
  let company: PriceResolver['resolve'] = async () => new Map();
  let api: TestApi;
  let buyer: number;
  let stranger: number;
  /** Every statement sent since the connections were made. */
  const noted: string[] = [];
  const stopNoting = noteStatements(({ text }) => noted.push(text));
  beforeAll(async () => {
    api = await testApi();
    const [group, ...rest] = api.providers.prices;
    Object.assign(api.providers, {
      prices: [group, { code: 'company', resolve: (question: never) => company(question) }, ...rest],
    });
    const em = api.orm.em.fork();
    await aShop(em);
    em.create(Website, { websiteId: 2, code: 'eu', name: 'Europe', baseCurrencyCode: 'EUR' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'eu_de', name: 'Deutsch', currencyCode: 'EUR' });
    const product = (sku: string, tierPrices: TierPrice[], websiteIds = [1]) =>
      em.create(Product, { attributeSetId: 4, sku, name: sku, price: money('50'), websiteIds, tierPrices });
    product('GROUP', [tier(1, '45'), tier(10, '40'), tier(20, '42')]);
    product('PERCENT', [tier(1, '0', { percentageValue: 10 * 10_000 })]);
    product('MORE', [tier(5, '44')]);
    product('DEARER', [tier(1, '55')]);
    product('EVERYBODY', [tier(1, '30', { customerGroupId: everyGroup }), tier(1, '31', { customerGroupId: 1 })]);
    product('ELSEWHERE', [tier(1, '12', { websiteId: 2 })], [1, 2]);
    product('BOTH', [tier(1, '45')]);
    product('CONTRACT', []);
    product('ONLY-EU', [tier(1, '20')], [2]);
    const customer = (email: string, groupId: number) =>
      em.create(Customer, {
        email,
        firstname: 'Ann',
        lastname: 'Lee',
        websiteId: 1,
        storeId: 1,
        groupId,
        customAttributes: {},
        defaultBilling: null,
        defaultShipping: null,
      });
    const [ann, ben] = [customer('ann@example.com', wholesale), customer('ben@example.com', wholesale)];
    await em.flush();
    [buyer, stranger] = [ann.id, ben.id];
    const contract = (sku: string, qty: number, price: string, websiteId = 1) =>
      em.create(ContractPrice, { customerId: buyer, websiteId, sku, qty: pieces(qty), price: money(price) });
    contract('BOTH', 1, '1');
    contract('Contract', 1, '60');
    contract('CONTRACT', 12, '39.5');
    contract('PLATE', 6, '30');
    contract('MUG', 1, '9', 2);
    await em.flush();
  });
  afterAll(async () => {
    stopNoting();
    await api.close();
  });

  const ask = (request: unknown) =>
    api.call('POST', '/V1/pos/customer-prices', { token: api.tokens.register, body: { request } });
  const pricesOf = async (skus: string[], more: object = {}) => {
    const { status, body } = await ask({ customerId: buyer, websiteId: 1, skus, ...more });
    expect(status).toBe(200);
    return body.prices;
  };

  test('what the customer’s group pays, with what more pieces cost', async () => {
    expect(await pricesOf(['GROUP', 'PERCENT', 'MORE'])).toEqual([
      // Twenty are never dearer each than ten: a cart takes the least.
      {
        sku: 'GROUP',
        base_price: 50,
        customer_price: 45,
        currency: 'USD',
        source: 'customer_group',
        tiers: [{ qty: 10, price: 40 }],
      },
      { sku: 'PERCENT', base_price: 50, customer_price: 45, currency: 'USD', source: 'customer_group' },
      {
        sku: 'MORE',
        base_price: 50,
        customer_price: 50,
        currency: 'USD',
        source: 'customer_group',
        tiers: [{ qty: 5, price: 44 }],
      },
    ]);
  });

  test('a SKU is asked in any letters, also twice, and answered as it is stored', async () => {
    const prices = await pricesOf(['group', 'GROUP', 'Contract', 'both']);
    expect(
      prices.map(({ sku, customer_price: price }: { sku: string; customer_price: number }) => [sku, price]),
    ).toEqual([
      ['GROUP', 45],
      ['CONTRACT', 60],
      ['BOTH', 45],
    ]);
  });

  test('the price for all, or of another group, website or customer, is absent', async () => {
    expect(await pricesOf(['DEARER', 'EVERYBODY', 'ELSEWHERE', 'ONLY-EU', 'MUG', 'NO-SUCH-SKU', ''])).toEqual([]);
  });

  test('a contract price applies even above the catalog’s, and from a quantity on', async () => {
    expect(await pricesOf(['PLATE', 'CONTRACT', 'PLATE'])).toEqual([
      {
        sku: 'PLATE',
        base_price: 33.33,
        customer_price: 33.33,
        currency: 'USD',
        source: 'contract',
        tiers: [{ qty: 6, price: 30 }],
      },
      {
        sku: 'CONTRACT',
        base_price: 50,
        customer_price: 60,
        currency: 'USD',
        source: 'contract',
        tiers: [{ qty: 12, price: 39.5 }],
      },
    ]);
    expect(await pricesOf(['CONTRACT'], { customerId: stranger })).toEqual([]);
  });

  test('the first resolver that knows a SKU has the word, not the cheapest', async () => {
    expect(await pricesOf(['BOTH'])).toMatchObject([{ customer_price: 45, source: 'customer_group' }]);
  });

  describe('a resolver in between', () => {
    test('is asked only for open SKUs, and wins over those after it', async () => {
      const asked: string[][] = [];
      company = async ({ products }) => {
        asked.push(products.map(({ sku }) => sku));
        return new Map([
          ['CONTRACT', { price: money('48'), tiers: [] }],
          ['GROUP', { price: money('1'), tiers: [] }],
        ]);
      };
      expect(await pricesOf(['GROUP', 'CONTRACT', 'PLATE'])).toMatchObject([
        { sku: 'GROUP', source: 'customer_group' },
        { sku: 'CONTRACT', customer_price: 48, source: 'company' },
        { sku: 'PLATE', source: 'contract' },
      ]);
      expect(asked).toEqual([['CONTRACT', 'PLATE']]);
      await pricesOf(['GROUP']);
      expect(asked).toHaveLength(1);
      company = async () => new Map();
    });

    test('that cannot be asked said no "no": the call is 503, unless every price was known', async () => {
      company = () => Promise.reject(new Error('away'));
      const { status, body } = await ask({ customerId: buyer, websiteId: 1, skus: ['GROUP', 'CONTRACT'] });
      expect([status, body.message]).toEqual([
        503,
        'The prices of this customer cannot be told now. Try again in a moment.',
      ]);
      expect(await pricesOf(['GROUP'])).toHaveLength(1);
      company = async () => new Map();
    });

    test.each<[string, unknown]>([
      ['no list of prices', undefined],
      ['a price below nothing', new Map([['CONTRACT', { price: -1, tiers: [] }]])],
      ['a price that is no number', new Map([['CONTRACT', { price: Number.NaN, tiers: [] }]])],
      ['a price without tiers', new Map([['CONTRACT', { price: money('48') }]])],
      ['a tier of no pieces', new Map([['CONTRACT', { price: money('48'), tiers: [{ qty: 0, price: money('4') }] }]])],
    ])('that answers %s did not know, and the register does not see the text', async (_, answer) => {
      company = async () => answer as Awaited<ReturnType<typeof company>>;
      expect((await ask({ customerId: buyer, websiteId: 1, skus: ['CONTRACT'] })).status).toBe(503);
      company = async () => new Map();
    });
  });

  describe('the website', () => {
    test('0, or none, is the customer’s own', async () => {
      expect(await pricesOf(['GROUP'], { websiteId: 0 })).toHaveLength(1);
      const { body } = await ask({ customerId: buyer, skus: ['GROUP'] });
      expect(body.prices).toMatchObject([{ currency: 'USD' }]);
    });

    test('another one has its own products, prices and currency', async () => {
      expect(await pricesOf(['ONLY-EU', 'ELSEWHERE', 'GROUP'], { websiteId: 2 })).toMatchObject([
        { sku: 'ONLY-EU', currency: 'EUR', customer_price: 20 },
        { sku: 'ELSEWHERE', currency: 'EUR', customer_price: 12 },
      ]);
    });

    test('or an unknown customer has no prices', async () => {
      expect(await pricesOf(['GROUP'], { websiteId: 99 })).toEqual([]);
      expect(await pricesOf(['GROUP'], { customerId: 999_999 })).toEqual([]);
    });
  });

  describe('the store view', () => {
    test('may be named by id or code, and changes nothing', async () => {
      for (const storeView of ['default', 1, '1', 'ca'])
        expect(await pricesOf(['GROUP'], { storeView })).toHaveLength(1);
    });

    test.each([null, 'nowhere', '', 'eu_de', 0])('%j is refused by its name', async (storeView) => {
      const { status, body } = await ask({ customerId: buyer, websiteId: 1, skus: ['GROUP'], storeView });
      expect([status, body.parameters.fieldName]).toEqual([400, 'storeView']);
    });
  });

  test('a missing argument is refused, and an empty list has no prices', async () => {
    expect((await ask({ customerId: buyer, websiteId: 1 })).body.parameters).toEqual({ fieldName: 'skus' });
    expect((await ask({ skus: ['GROUP'], websiteId: 1 })).body.parameters).toEqual({ fieldName: 'customerId' });
    expect(await pricesOf([])).toEqual([]);
  });

  test('any number of SKUs is asked for in four statements at most', async () => {
    const statementsFor = async (skus: string[]) => {
      const before = noted.length;
      await pricesOf(skus);
      return noted.slice(before).filter((text) => /product|customer|contract/.test(text));
    };
    const few = await statementsFor(['GROUP', 'CONTRACT']);
    const many = await statementsFor(['GROUP', 'CONTRACT', ...Array.from({ length: 20_000 }, (_, n) => `SKU-${n}`)]);
    expect(few.length).toBeGreaterThan(0);
    expect(few.length).toBeLessThanOrEqual(4);
    expect(many.length).toBe(few.length);
  });
});

describe('ask for code', () => {
  opensAKiosk();

  const tooMany = { status: 400, body: { message: 'Too many codes were requested. Please try again later.' } };

  test('a new request voids the code before, and its mail if that has not gone out', async () => {
    const email = anEmail();
    await shop.customer(email);
    await shop.set(`${section}/otp_resend_cooldown_seconds`, '0');
    const first = await shop.codeFor(email);
    await shop.request(email);
    const second = await shop.codeFor(email);

    expect(shop.mail.took).toHaveLength(2);
    if (first !== second) expect(await shop.verify(email, first)).toMatchObject(wrong);
    expect(await shop.verify(email, second)).toMatchObject({ status: 200 });
  });

  /** What counts within a minute is over, what counts within an hour goes on. */
  async function cooldownEnds() {
    for (const { bucket, window_ends_at: end } of await shop.find('rate_limit', {}, 'bucket', 'window_ends_at'))
      if (new Date(end) < inMinutes(1)) await shop.change('rate_limit', { bucket }, { window_ends_at: new Date() });
  }

  test.each(['a customer', 'a stranger'])('%s may ask again after the cooldown, five times an hour', async (who) => {
    const email = anEmail();
    if (who === 'a customer') await shop.customer(email);

    const answers = await atOnce(8, () => shop.request(email));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    expect(await shop.request(email)).toMatchObject(tooMany);

    for (let time = 2; time <= 5; time++) {
      await cooldownEnds();
      expect(await shop.request(email)).toMatchObject({ status: 200 });
    }
    await cooldownEnds();
    expect(await shop.request(email)).toMatchObject(tooMany);
  });

  test('a terminal may ask twenty times an hour, exactly, also at once; another one still may', async () => {
    const answers = await atOnce(40, () => shop.request(anEmail()));
    const { terminalId } = await aTerminal(shop.api.orm.em.fork());

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(await shop.request(anEmail())).toMatchObject(tooMany);
    expect(await shop.request(anEmail(), { terminalId })).toMatchObject({ status: 200 });
  });

  test('a mail server that is away is reported before anything is counted', async () => {
    shop.mail.isThere = false;
    const email = anEmail();
    await shop.customer(email);
    const codes = await shop.howMany('pos_one_time_code');
    const answers = [await shop.request(email), await shop.request(anEmail())];
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'The code could not be sent. Please try again later.' },
      });
    expect(await shop.find('rate_limit')).toEqual([]);
    expect(await shop.howMany('pos_one_time_code')).toBe(codes);
  });

  test('a code that cannot be sent is withdrawn, and may be requested again at once', async () => {
    const email = anEmail();
    shop.whenBegun.fails = unavailable('The workflows cannot be reached.');
    expect((await shop.request(email)).status).toBe(503);
    expect(await shop.verify(email, '1')).toMatchObject(notAsked);
    delete shop.whenBegun.fails;
    expect(await shop.request(email)).toMatchObject({ status: 200 });
  });

  test('an unknown or inactive terminal is refused before the e-mail is checked', async () => {
    const email = anEmail();
    await shop.customer(email);
    const { terminalId } = await aTerminal(shop.api.orm.em.fork(), { isActive: false });
    for (const one of [email, anEmail()]) {
      expect(await shop.request(one, { terminalId: 99_999 })).toMatchObject({
        status: 404,
        body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
      });
      expect(await shop.verify(one, '1', { terminalId: 99_999 })).toMatchObject(notAsked);
      const disabled = { status: 400, body: { message: 'The terminal is disabled.' } };
      expect(await shop.request(one, { terminalId })).toMatchObject(disabled);
      expect(await shop.verify(one, '1', { terminalId })).toMatchObject(disabled);
    }
  });

  test.each(['', 'ada', 'ada@', 'a b@shop.test'])('"%s" is refused as an e-mail', async (email) => {
    expect(await shop.request(email)).toMatchObject({ status: 400, body: { message: 'Enter a valid email address.' } });
  });

  test('codes have as many digits as the shop says', async () => {
    const email = anEmail();
    await shop.customer(email);
    await shop.set(`${section}/otp_length`, '99');
    expect(await shop.codeFor(email)).toMatch(/^\d{10}$/);
  });
});

describe('validate customer', () => {
  opensAShop();

  const { fork } = booksOf(() => api.orm);

  test('a customer with nothing wrong is valid', async () => {
    expect((await validate(draft)).body).toEqual({ valid: true, errors: [] });
  });

  test('each missing field is a row, not a refusal', async () => {
    const { status, body } = await validate({});
    expect(status).toBe(200);
    expect(body.valid).toBe(false);
    expect(body.errors.map(({ field, code, severity }: Record<string, string>) => [field, code, severity])).toEqual([
      ['email', 'email_required', 'error'],
      ['firstname', 'firstname_required', 'error'],
      ['lastname', 'lastname_required', 'error'],
    ]);
  });

  test.each<[string, object, string[]]>([
    ['what is no e-mail address', { email: 'nobody' }, ['email_invalid']],
    ['an e-mail in another case that has an account', { email: ' tAKEN@example.COM ' }, ['email_taken']],
    ['the same e-mail on another website', { email: 'taken@example.com', websiteId: 2 }, []],
    ['a name with signs no name has', { firstname: 'A<da>' }, ['firstname_invalid']],
    ['a city nobody can write', { city: 'x'.repeat(256) }, ['city_too_long']],
    ['an unknown country', { countryCode: 'ZZ' }, ['country_unknown']],
    ['an unknown website', { websiteId: 99 }, ['website_unknown']],
    ['a day of birth that is no day', { dob: '1990-02-30' }, ['dob_invalid']],
    ['a day of birth to come', { dob: '2999-01-01' }, ['dob_to_come']],
  ])('%s', async (_, more, codes) => {
    expect(await codesOf(more)).toEqual(codes);
  });

  test('a value that can be written better comes with it, and is good once it is taken', async () => {
    const found = await rowsOf({
      countryCode: 'GB',
      phone: '020 7946 0018',
      postcode: 'sw1a1aa',
      taxvat: 'gb 980 7806 84',
    });
    expect(found.map(({ field, severity, suggested_value: value }) => [field, severity, value])).toEqual([
      ['phone', 'normalize', '+442079460018'],
      ['postcode', 'normalize', 'SW1A 1AA'],
      ['taxvat', 'normalize', 'GB980780684'],
    ]);
    const taken = Object.fromEntries(found.map(({ field, suggested_value: value }) => [field, value]));
    expect(await rowsOf({ countryCode: 'GB', ...taken })).toEqual([]);
  });

  test('on an edit the customer’s own e-mail does not count as taken', async () => {
    const { id } = await fork().findOneOrFail(Customer, { email: 'Taken@Example.com' });
    expect(await codesOf({ email: 'taken@example.com', customerId: id })).toEqual([]);
    expect(await codesOf({ email: 'taken@example.com', customerId: id + 1 })).toEqual(['email_taken']);
  });

  describe('the website 0', () => {
    test('is that of the call’s store, where uniqueness is asked', async () => {
      const taken = { email: 'taken@example.com', websiteId: 0 };
      expect(await codesOf(taken)).toEqual(['email_taken']);
      expect(await codesOf(taken, '/rest/eu_de/V1/pos/customer-validate')).toEqual([]);
      expect(await codesOf(taken, '/rest/all/V1/pos/customer-validate')).toEqual(['email_taken']);
      const { websiteId: _left, ...without } = { ...draft, ...taken };
      expect((await validate(without)).body.errors).toHaveLength(1);
    });

    test('has the settings of the default scope, not of the resolved website', async () => {
      await set(selection, 'vat_number', 1);
      const wrong = { phone: '12', taxvat: 'DE136695978' };
      expect(await codesOf({ ...wrong, websiteId: 1 })).toEqual(['vat_invalid']);
      expect(await codesOf({ ...wrong, websiteId: 0 })).toEqual(['phone_invalid', 'vat_invalid']);
      await set(selection, null, 1);
    });
  });

  describe('which validators run', () => {
    const wrong = { phone: '12', taxvat: 'DE136695978', email: 'nobody' };

    test.each<[string, string, string[]]>([
      [
        'an empty selection runs all, in the order of registration',
        '',
        ['email_invalid', 'phone_invalid', 'vat_invalid'],
      ],
      [
        'a selection runs what it names, whatever its order',
        ' vat_number, phone_format ',
        ['email_invalid', 'phone_invalid', 'vat_invalid'],
      ],
      ['an unregistered key is ignored', 'gone,vat_number', ['email_invalid', 'vat_invalid']],
      ['only unregistered keys run no optional one', 'gone,away', ['email_invalid']],
    ])('%s', async (_, value, codes) => {
      await set(selection, value);
      expect(await codesOf(wrong)).toEqual(codes);
      await set(selection, null);
    });

    test('a location’s own selection counts before the website’s; without one it inherits', async () => {
      await set(selection, 'phone_format', 1);
      expect(await codesOf({ ...wrong, locationId: locations.own })).toEqual(['email_invalid', 'vat_invalid']);
      expect(await codesOf({ ...wrong, locationId: locations.inherits })).toEqual(['email_invalid', 'phone_invalid']);
      expect(await codesOf({ ...wrong, locationId: locations.free })).toEqual([
        ...['email_invalid', 'phone_invalid', 'vat_invalid'],
      ]);
      expect(await codesOf({ ...wrong, locationId: 0 })).toEqual(['email_invalid', 'phone_invalid']);
      await set(selection, null, 1);
    });

    test('a location that is not there, or is another website’s, is refused by the name of its field', async () => {
      for (const locationId of [99, -1, locations.foreign]) {
        const { status, body } = await validate({ ...draft, locationId });
        expect([status, body.parameters]).toEqual([400, { fieldName: 'locationId', value: locationId }]);
      }
      expect(await codesOf({ locationId: locations.foreign, websiteId: 0 })).toEqual([]);
      expect(await codesOf({ locationId: locations.free, websiteId: 2 })).toEqual([]);
    });
  });

  test('a shop with a minimum age refuses younger customers, and asks for a missing date of birth', async () => {
    await set('vendor_pos_advanced/customers/minimum_age', '18', 1);
    const today = new Date().toISOString().slice(5, 10);
    const year = new Date().getUTCFullYear();
    expect(await rowsOf({ dob: `${year - 17}-${today}` })).toMatchObject([{ code: 'too_young', severity: 'error' }]);
    expect(await codesOf({ dob: `${year - 19}-${today}` })).toEqual([]);
    expect(await rowsOf({})).toMatchObject([{ code: 'age_unknown', severity: 'warning' }]);
    expect(await codesOf({ customerId: 1 })).toEqual([]);
    await set('vendor_pos_advanced/customers/minimum_age', null, 1);
  });

  describe('a vendor’s validator', () => {
    test('has every severity, and its rows come last', async () => {
      const said = [
        { field: 'company', code: 'a', severity: 'error', message: 'A' },
        { field: 'company', code: 'b', severity: 'warning', message: 'B' },
        { field: 'company', code: 'c', severity: 'info', message: 'C' },
        { field: 'company', code: 'd', severity: 'normalize', message: 'D', suggestedValue: 'Lee Ltd' },
      ] as const;
      vendor.validate = () => said;
      const found = await rowsOf({ email: 'nobody' });
      const { suggestedValue, ...normalize } = said[3];
      expect(found.slice(1)).toEqual([...said.slice(0, 3), { ...normalize, suggested_value: suggestedValue }]);
    });

    test.each<[string, CustomerValidator['validate']]>([
      [
        'throws',
        () => {
          throw new Error('boom');
        },
      ],
      ['fails later', () => Promise.reject(new TypeError('boom'))],
      ['answers nothing', () => undefined as never],
      ['answers rows that are none', () => [{ field: 'email' }] as never],
      ['answers an unknown severity', () => [{ field: 'a', code: 'b', message: 'c', severity: 'fatal' }] as never],
      ['suggests nothing', () => [{ field: 'a', code: 'b', message: 'c', severity: 'normalize' }]],
      [
        'answers too much',
        () => Array.from({ length: 51 }, () => ({ field: 'a', code: 'b', message: 'c', severity: 'error' as const })),
      ],
      ['hangs', () => new Promise(() => undefined)],
    ])('that %s is a warning beside its field, and never a fault', async (_, behaves) => {
      vendor.validate = behaves;
      expect(await rowsOf({})).toEqual([
        {
          field: 'company',
          code: 'validator_failed',
          severity: 'warning',
          message: '"Vendor check" could not be checked.',
        },
      ]);
      expect(api.faults).toEqual([]);
    });
  });

  test('an unreadable field is refused, null counts as absent, and an unknown key is dropped', async () => {
    expect((await validate(undefined)).status).toBe(400);
    expect((await validate({ ...draft, websiteId: 'one' })).status).toBe(400);
    expect((await validate({ ...draft, phone: null, favouriteColour: 'blue' })).body).toEqual({
      valid: true,
      errors: [],
    });
  });

  test('nothing is written, however often it is asked', async () => {
    const before = await fork().count(Customer);
    await eightAtOnce(() => validate({ ...draft, email: 'nobody-yet@example.com' }));
    expect(await fork().count(Customer)).toBe(before);
  });
});
