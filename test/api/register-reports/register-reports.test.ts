import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let office: string;
let manager: string;
beforeAll(async () => {
  api = await testApi();
  office = await api.tokenFor('Vendor_Pos::register_reports');
  manager = await api.tokenFor('Vendor_Pos::register_reports', 'Vendor_Pos::register_reports_manage');
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const { howMany, change, booksHold } = booksOf(() => api.orm);
const path = '/V1/pos/register-reports';

const aReport = (more: Record<string, unknown> = {}) => ({
  session_id: randomUUID(),
  number: 1,
  schema_version: 1,
  terminal_id: 1,
  location_id: 1,
  staff_id: 1,
  staff_name: 'Carla',
  opened_at: '2026-11-28T08:00:00.000Z',
  closed_at: '2026-11-28T18:00:00.000Z',
  currency_code: 'USD',
  document: { tenders: [{ tender: 'cash', currency: 'USD', counted: 190.5, expected: 190.5 }], note: 'quiet' },
  ...more,
});
const submit = (report: unknown, more: Record<string, unknown> = {}) =>
  api.call('POST', path, { token: api.tokens.register, body: { report }, ...more });
const read = (query = '', token = office) => api.call('GET', `${path}${query}`, { token });
const by = (field: string, value: unknown) =>
  read(
    `?searchCriteria[filter_groups][0][filters][0][field]=${field}` +
      `&searchCriteria[filter_groups][0][filters][0][value]=${encodeURIComponent(String(value))}`,
  ).then(({ body }) => body);
const stored = (session_id: string) => howMany('pos_register_report', { session_id });
const lastRevision = async () => {
  for (let after = 0; ;) {
    const { body } = await read(`?afterRevision=${after}`);
    if (body.items.length === 0) return Number(body.revision);
    after = body.revision;
  }
};

describe('a register sends the report of its session', () => {
  test('and everything of it is stored, with a revision and the digest of its document', async () => {
    const report = aReport();
    const { status, body } = await submit(report);
    expect(status).toBe(200);
    const text = '{"note":"quiet","tenders":[{"counted":190.5,"currency":"USD","expected":190.5,"tender":"cash"}]}';
    expect(body).toEqual({
      ...report,
      report_id: expect.any(Number),
      revision: expect.any(Number),
      received_at: expect.stringMatching(/^20\d\d-.*Z$/),
      document_hash: hash('sha256', text),
      conflict: false,
      annotations: [],
    });
    expect((await read(`/${body.report_id}`)).body).toEqual(body);
    expect(await by('session_id', report.session_id)).toMatchObject({ items: [body], total_count: 1 });
  });

  test('again, in another order of keys and another case of the session, and gets the stored one', async () => {
    const report = aReport();
    const { body } = await submit(report);
    const again = {
      ...Object.fromEntries(Object.entries(report).toReversed()),
      session_id: report.session_id.toUpperCase(),
      currency_code: 'usd',
      number: '1',
      opened_at: '2026-11-28T09:00:00+01:00',
      document: { note: 'quiet', tenders: [{ expected: 190.5, counted: 190.5, currency: 'USD', tender: 'cash' }] },
    };
    const repeat = await submit(again);
    expect(repeat).toMatchObject({ status: 200, body });
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(await stored(report.session_id)).toBe(1);
  });

  test('again with other content, which is refused, stored and marked; its repeats too', async () => {
    const report = aReport();
    const { body: first } = await submit(report);
    for (const other of [
      { document: { ...report.document, note: 'altered' } },
      { staff_name: 'Mallory' },
      { closed_at: '2026-11-28T18:00:01.000Z' },
    ]) {
      const refused = await submit({ ...report, ...other });
      expect(refused).toMatchObject({
        status: 409,
        body: { parameters: { outcome: 'register_report_conflict', report_id: first.report_id } },
      });
      const again = await submit({ ...report, ...other }, { headers: { 'idempotency-key': randomUUID() } });
      expect(again.body.parameters).toEqual(refused.body.parameters);
    }
    const { items } = await by('session_id', report.session_id);
    expect(items.map(({ conflict }: { conflict: boolean }) => conflict)).toEqual([true, true, true, true]);
    // The first content is the stored one still, with its revision.
    expect((await submit(report)).body).toEqual({ ...first, conflict: true });
    expect(await stored(report.session_id)).toBe(4);
    expect(await by('conflict', 1)).toMatchObject({ total_count: 4 });
  });

  test('of another number of the session, or another session: no conflict', async () => {
    const report = aReport();
    await submit(report);
    expect(await submit({ ...report, number: 2 })).toMatchObject({ status: 200, body: { conflict: false } });
    expect(await submit({ ...report, session_id: randomUUID() })).toMatchObject({ status: 200 });
  });

  test('of an unknown terminal, location, staff and session', async () => {
    const unknown = { terminal_id: 987_654_321, location_id: 987_654_322, staff_id: 987_654_323 };
    expect(await submit(aReport(unknown))).toMatchObject({ status: 200, body: unknown });
    expect(await submit(aReport({ staff_id: undefined, staff_name: null }))).toMatchObject({
      status: 200,
      body: { staff_id: null, staff_name: null },
    });
  });

  test('eight times at the same moment: one row; two different ones: two that contradict each other', async () => {
    const report = aReport();
    const answers = await eightAtOnce(() => submit(report));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.report_id}`)).size).toBe(1);
    expect(await stored(report.session_id)).toBe(1);

    const twofold = aReport();
    const statuses = await eightAtOnce((at) => submit({ ...twofold, document: { drawer: at % 2 } }));
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 409, 409, 409, 409,
    ]);
    const { items } = await by('session_id', twofold.session_id);
    expect(items.map(({ conflict }: { conflict: boolean }) => conflict)).toEqual([true, true]);
    await booksHold();
  });

  test('and more than a hundred that contradict each other are not stored', async () => {
    const report = aReport();
    for (let at = 0; at < 10; at++) await atOnce(10, (of) => submit({ ...report, document: { at: at * 10 + of } }));
    expect(await stored(report.session_id)).toBe(100);
    const refused = await submit({ ...report, document: { at: 1_000 } });
    expect(refused).toMatchObject({ status: 409, body: { parameters: { conflicting_report_id: null } } });
    expect(await stored(report.session_id)).toBe(100);
  });
});

describe('a report is refused, and nothing is stored', () => {
  test.each([
    ['without a session', { session_id: undefined }],
    ['with an empty session', { session_id: ' ' }],
    ['with a session that is too long', { session_id: 'x'.repeat(65) }],
    ['without a number', { number: undefined }],
    ['with the number 0', { number: 0 }],
    ['with a number that is none', { number: 'Z-1' }],
    ['of another schema', { schema_version: 2 }],
    ['without a terminal', { terminal_id: undefined }],
    ['without a location', { location_id: undefined }],
    ['without a moment', { closed_at: undefined }],
    ['with a moment that is none', { opened_at: 'this morning' }],
    ['that ends before it begins', { closed_at: '2026-11-28T07:59:59.000Z' }],
    ['with a currency that is none', { currency_code: 'US' }],
    ['with a name that is too long', { staff_name: 'x'.repeat(256) }],
    ['without a document', { document: undefined }],
    ['with a text as document', { document: '{}' }],
    ['with a list as document', { document: [] }],
    ['with a card number in the document', { document: { note: 'paid by 4111 1111 1111 1111' } }],
    ['with a security code in the document', { document: { card: { cvv: '123' } } }],
    ['with a card number as name', { staff_name: '4111111111111111' }],
    ['with a NUL in the document', { document: { note: '\0' } }],
    ['with half a surrogate pair in a key', { document: { '\ud800': 1 } }],
  ])('%s', async (_why, more) => {
    const before = await howMany('pos_register_report', {});
    expect((await submit(aReport(more))).status).toBe(400);
    expect(await howMany('pos_register_report', {})).toBe(before);
  });

  test('with a whole number that JSON cannot hold', async () => {
    const body = JSON.stringify({ report: aReport() }).replace('190.5', '9007199254740993');
    const headers = { 'content-type': 'application/json' };
    expect(await api.call('POST', path, { token: api.tokens.register, body, headers })).toMatchObject({
      status: 400,
      body: { message: 'The document has a whole number beyond 2^53 - 1. Send it as text.' },
    });
  });

  test('of more than 1 MB; one that is a little smaller is stored', async () => {
    const document = { note: 'x'.repeat(1_040_000) };
    expect((await submit(aReport({ document }))).status).toBe(200);
    document.note += 'x'.repeat(20_000);
    expect((await submit(aReport({ document }))).status).toBe(413);
  });

  test('that is not wrapped, or is none', async () => {
    for (const body of [aReport(), { report: null }, { report: [] }, {}])
      expect((await api.call('POST', path, { token: api.tokens.register, body })).status).toBe(400);
  });
});

describe('who may', () => {
  test('send: all that may send receipts, whenever their token was made; nobody reads by it', async () => {
    const older = await api.tokenFor('Vendor_Pos::receipts');
    expect((await submit(aReport(), { token: older })).status).toBe(200);
    expect((await submit(aReport(), { token: await api.tokenFor('Vendor_Pos::register_reports_submit') })).status).toBe(
      200,
    );
    const { body } = await submit(aReport());
    for (const token of [older, api.tokens.register, api.tokens.nothing])
      for (const query of ['', '?afterRevision=0', `/${body.report_id}`])
        expect((await read(query, token)).status).toBe(401);
    for (const token of [office, manager, api.tokens.nothing])
      expect((await submit(aReport(), { token })).status).toBe(401);
  });

  test('annotate: only with the right to manage', async () => {
    const { body } = await submit(aReport());
    const annotate = (token: string) =>
      api.call('POST', `${path}/${body.report_id}/annotations`, { token, body: { annotation: { text: 'ok' } } });
    for (const token of [office, api.tokens.register, api.tokens.nothing])
      expect((await annotate(token)).status).toBe(401);
    expect((await annotate(manager)).status).toBe(200);
  });
});

describe('a reader follows the revisions', () => {
  test('which rise with every stored report, and a repeat has none', async () => {
    const before = await lastRevision();
    const [one, two] = [aReport(), aReport()];
    for (const report of [one, two, one]) await submit(report);
    await submit({ ...one, document: { other: true } });
    const { items, revision } = (await read(`?afterRevision=${before}`)).body;
    expect(items.map((item: Record<string, unknown>) => [item['session_id'], item['revision']])).toEqual([
      [one.session_id, before + 1],
      [two.session_id, before + 2],
      [one.session_id, before + 3],
    ]);
    expect(revision).toBe(before + 3);
    expect((await read(`?afterRevision=${revision}`)).body).toEqual({ items: [], revision });
    // A reader that is ahead, as after a restore, sees it by the lower revision.
    expect((await read(`?afterRevision=${revision + 1_000}`)).body).toEqual({ items: [], revision });
  });

  test('and misses none while many registers send', async () => {
    const start = await lastRevision();
    let isOver = false;
    const seen: number[] = [];
    const reading = (async () => {
      for (let after = start, isLast = false; !isLast;) {
        isLast = isOver;
        const { items, revision } = (await read(`?afterRevision=${after}`)).body;
        seen.push(...items.map((item: { revision: number }) => item.revision));
        after = revision;
        if (items.length > 0) isLast = false;
      }
    })();
    await eightAtOnce(async () => {
      for (let at = 0; at < 8; at++) await submit(aReport());
    });
    isOver = true;
    await reading;
    expect(seen).toEqual(Array.from({ length: 64 }, (_, at) => start + at + 1));
  });

  test('in pages: at most 50 reports, and 4 MB of documents', async () => {
    const start = await lastRevision();
    for (let at = 0; at < 6; at++) await submit(aReport({ document: { at, note: 'x'.repeat(900_000) } }));
    const { items, revision } = (await read(`?afterRevision=${start}`)).body;
    expect([items.length, revision]).toEqual([4, start + 4]);
    expect((await read(`?afterRevision=${revision}`)).body.items).toHaveLength(2);
    await atOnce(10, async () => {
      for (let at = 0; at < 6; at++) await submit(aReport());
    });
    expect((await read(`?afterRevision=${start + 6}`)).body.items).toHaveLength(50);
    expect(await read()).toMatchObject({ status: 400 });
    expect((await read('?searchCriteria[pageSize]=20&searchCriteria[currentPage]=2')).body.items).toHaveLength(20);
  });

  test('only from a whole number', async () => {
    for (const after of ['x', '1.5', '']) expect([200, 400]).toContain((await read(`?afterRevision=${after}`)).status);
    expect((await read('?afterRevision=x')).status).toBe(400);
  });
});

describe('a person annotates a report', () => {
  const annotate = (id: number, text: unknown, headers?: Record<string, string>) =>
    api.call('POST', `${path}/${id}/annotations`, {
      ...{ token: manager, body: { annotation: { text } } },
      ...(headers === undefined ? {} : { headers }),
    });

  test('and each remark is added, with who and when', async () => {
    const { body: report } = await submit(aReport());
    await annotate(report.report_id, ' Counted twice. ');
    const headers = { 'idempotency-key': randomUUID() };
    for (let at = 0; at < 2; at++) await annotate(report.report_id, 'The second one counts.', headers);
    const { body } = await read(`/${report.report_id}`);
    const remark = { annotation_id: expect.any(Number), author_type: 'integration', created_at: expect.any(String) };
    const author = expect.stringContaining('test');
    expect(body).toEqual({
      ...report,
      annotations: [
        { ...remark, author, text: 'Counted twice.' },
        { ...remark, author, text: 'The second one counts.' },
      ],
    });
    expect(await by('report_id', report.report_id)).toMatchObject({ items: [body] });
    expect((await submit({ ...aReport(), session_id: report.session_id })).body.annotations).toHaveLength(2);
  });

  test('not with nothing, a card number, too much, or of a report that is not there', async () => {
    const { body: report } = await submit(aReport());
    for (const text of [undefined, ' ', 'x'.repeat(2_001), '4111 1111 1111 1111'])
      expect((await annotate(report.report_id, text)).status).toBe(400);
    const unknown = { status: 404, body: { message: 'Register report with id %1 does not exist' } };
    expect(await annotate(999_999, 'ok')).toMatchObject(unknown);
    expect(await read('/999999')).toMatchObject(unknown);
    expect((await read(`/${report.report_id}`)).body.annotations).toEqual([]);
  });

  test('a hundred times at most, also at the same moment', async () => {
    const { body: report } = await submit(aReport());
    for (let at = 0; at < 96; at += 8) await eightAtOnce((of) => annotate(report.report_id, `Remark ${at + of}`));
    const answers = await eightAtOnce(() => annotate(report.report_id, 'One more'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({
      message: 'The report must not have more than %1 annotations.',
    });
  });
});

test('a stored report cannot be altered', async () => {
  const { body } = await submit(aReport());
  const which = { report_id: body.report_id };
  await expect(change('pos_register_report', which, { document: '{}' })).rejects.toThrow(/is frozen/);
  await expect(change('pos_register_report', which, { received_at: new Date(0) })).rejects.toThrow(/is frozen/);
});
