import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkBackup } from '../../cli/backup-check.ts';
import { createIntegration } from '../../cli/create-integration.ts';
import { listTokens, rotateIntegration, rotateToken } from '../../cli/list-tokens.ts';
import { createToken } from '../../cli/program.ts';
import { resealSecrets } from '../../cli/server-commands.ts';
import { setConfigValue } from '../../db/configuration/set-config-value.ts';
import { createEndpoint } from '../../db/events/endpoints.ts';
import { createSignedIntegration, openSecrets } from '../../db/platform/access/create-signed-integration.ts';
import { writeTokenUses } from '../../db/platform/access/token-life.ts';
import { findSigner } from '../../db/platform/access/use-nonce.ts';
import { confirmationKey, isConfirmationKey } from '../../db/platform/customers/confirm-account.ts';
import { confirmationPath, isProofOf } from '../../db/platform/newsletter/confirm-subscription.ts';
import {
  bulkPurpose,
  storedAnswerPurpose,
  reseal,
  secondFactorPurpose,
  sealedColumns,
} from '../../db/sealed-columns.ts';
import { createSecretBox, type KeyRing } from '../../db/support/secret-box.ts';
import { openWords, sealWords } from '../../providers/returns/sealed-words.ts';
import { parseSettings } from '../../providers/settings.ts';
import { testApi, type TestApi } from '../support/api.ts';
import { booksOf } from '../support/books.ts';
import { aBareReceipt } from '../support/builders/bare-receipt.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer } from '../support/builders/wallet.ts';
import { copyOfDatabase, testDatabaseUrl } from '../support/database.ts';
import { minutesAgo } from '../support/moments.ts';
import { commandContextOf } from './support.ts';

const newKey = () => randomBytes(32).toString('base64');
const [oldKey, key] = [newKey(), newKey()];
const [oldBox, ring, box] = [createSecretBox(oldKey), createSecretBox(key, [oldKey]), createSecretBox(key)];

let url: string;
let api: TestApi;
beforeAll(async () => {
  url = await testDatabaseUrl();
  api = await testApi({ databaseUrl: url });
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, change, insert, find, findOne, howMany } = booksOf(() => api.orm);
const shop = (secrets: KeyRing = ring) =>
  commandContextOf(api.orm, {
    settings: parseSettings({ DATABASE_URL: url }),
    secrets: () => secrets,
    now: () => new Date(),
  });

describe('a changed key', () => {
  const settingPath = 'vendor_pos_terminal/provider_a/api_key';
  const operation = { path: {}, query: {}, body: {} };

  /** One text of every kind, as a shop seals it. */
  async function sealEverything(by: KeyRing): Promise<void> {
    await setConfigValue(fork(), by, { path: settingPath, value: 'sk_live' });
    await createSignedIntegration(fork(), { name: randomUUID(), resources: [], box: by });
    const { endpointId } = await createEndpoint(fork(), { wish: { url: 'https://shop.example/hook' }, box: by });
    await change(
      'webhook_endpoint',
      { endpoint_id: endpointId },
      { sealed_former_secret: by.seal('a', 'webhook secret') },
    );
    const user_id = (await howMany('ops_second_factor')) + 1;
    await insert('ops_second_factor', {
      user_kind: 'admin',
      user_id,
      sealed_secret: by.seal('totp', secondFactorPurpose),
    });
    await insert('pos_license', {
      license_type: 'pro',
      sealed_token: by.seal('token', 'license token'),
      sealed_fiscal_api_key: by.seal('fiscal', 'fiscal api key'),
    });
    const { receipt_id } = await aBareReceipt(api.orm, { sealed_token: by.seal('r', 'receipt token') });
    const mail = (kind: string, cells: object) => insert('mail_outbox', { mail_key: randomUUID(), kind, ...cells });
    const dies_at = new Date(Date.now() + 3_600_000);
    await mail('receipt', { receipt_id, sealed_to: by.seal('a@example.com', 'mail address') });
    const customer_id = await aCustomer(fork());
    await mail('password_reset', { customer_id, sealed: by.seal('reset', 'password reset'), dies_at });
    await insert('keyed_request', {
      ...{
        digest: randomBytes(32).toString('hex'),
        fingerprint: '',
        caller_type: 'admin',
        caller_id: 1,
        route: 'POST /',
      },
      ...{
        request_id: '',
        state: 'done',
        status: 200,
        answered_at: minutesAgo(1),
        answer: by.seal('{}', storedAnswerPurpose),
        is_sealed: true,
      },
    });
    const bulk = await insert('bulk', {
      ...{ bulk_uuid: randomUUID(), user_type: 'admin', user_id: 1, route: 'POST /V1/customers' },
      ...{ store_id: 1, website_id: 1, store_code: 'default', operations: 1 },
    });
    await insert('bulk_operation', {
      ...{ bulk_id: bulk['bulk_id'], operation_key: 0 },
      sources: JSON.stringify({ ...operation, sealedArguments: by.seal('{}', bulkPurpose) }),
    });
  }

  test('the list of sealed columns is that of the tables', async () => {
    const tables = [...api.orm.getMetadata().getAll().values()];
    const sealed = tables.flatMap(({ tableName, props }) =>
      props
        .flatMap(({ fieldNames }) => fieldNames ?? [])
        .flatMap((name) => (/^sealed/.test(name) ? [`${tableName}.${name}`] : [])),
    );
    const marked = ['config_value.value', 'keyed_request.answer', 'bulk_operation.sources'];
    expect(sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
      [...sealed, ...marked].toSorted(),
    );
  });

  test('everything is sealed anew, in batches that may be stopped, and the old key is needed no more', async () => {
    await sealEverything(oldBox);
    const stop = new Error('somebody pressed Ctrl-C');
    const halfway = reseal(fork(), ring, () => {
      throw stop;
    });
    await expect(halfway).rejects.toBe(stop);

    const said: string[] = [];
    const { text, isFine, json } = await resealSecrets(shop(), (line) => void said.push(line));
    expect(text).toMatch(/^\d+ texts were sealed anew, and none is left: the database needs no earlier key\.$/);
    expect(isFine).toBe(true);
    expect(json).toMatchObject({ remaining: 0, opened_by_no_key: 0 });
    expect(said.length).toBeGreaterThan(0);
    expect((await resealSecrets(shop(), () => undefined)).json).toMatchObject({ renewed: 0, remaining: 0 });

    const { value } = await findOne('config_value', { path: settingPath }, 'value');
    expect(box.open(String(value), settingPath)).toBe('sk_live');
    const [token] = await find('access_token', { user_type: 'integration' }, 'sealed_secrets', 'consumer_key').then(
      (rows) => rows.filter(({ consumer_key: consumer }) => consumer !== null),
    );
    expect(openSecrets(String(token?.sealed_secrets), box)).toHaveLength(2);
    const [{ sources } = { sources: undefined }] = await find('bulk_operation', {}, 'sources');
    expect(sources).toMatchObject(operation);
    expect((await checkBackup(shop(box), options)).text).toMatch(
      /^ok +secret key +it opens the \d+ newest sealed texts$/m,
    );
  });

  test('what no key opens stays, is counted, and fails the command', async () => {
    const strange = createSecretBox(newKey());
    await createEndpoint(fork(), { wish: { url: 'https://other.example/hook' }, box: strange });
    const { text, isFine, json } = await resealSecrets(shop(), () => undefined);

    expect(isFine).toBe(false);
    expect(json).toMatchObject({ renewed: 0, remaining: 1, opened_by_no_key: 1 });
    expect(text).toMatch(/^webhook_endpoint\.sealed_secret +1 left +1 opened by no key$/m);
    const looked = await checkBackup(shop(box), options);
    expect(looked.text).toMatch(
      /^BROKEN +secret key +it does not open webhook_endpoint\.sealed_secret → set POS_SECRET_KEY/m,
    );
    expect(looked.isFine).toBe(false);
  });

  test('words in a history of Temporal, and links in mails, that the old key made still open', () => {
    const words = sealWords(oldBox, { comment: 'It leaks.' });
    expect(openWords(ring, words)).toEqual({ comment: 'It leaks.' });
    expect(() => openWords(box, words)).toThrow('neither POS_SECRET_KEY nor POS_SECRET_KEY_OLD');

    const account = { customerId: 7, email: 'a@example.com', confirmation: 'x' };
    const asking = { subscriberId: 7, confirmNonce: 'y' };
    const proof = confirmationPath(oldBox, asking).split('/').at(-1) ?? '';
    expect([ring, box].map((one) => isConfirmationKey(one, account, confirmationKey(oldBox, account)))).toEqual([
      true,
      false,
    ]);
    expect([ring, box].map((one) => isProofOf(one, asking, proof))).toEqual([true, false]);
  });

  test('a wrong old key is told by its name, and never shown', () => {
    expect(() => parseSettings({ POS_SECRET_KEY_OLD: `${oldKey},short` })).toThrow(
      'POS_SECRET_KEY_OLD is "(hidden)", but must be keys of 32 bytes in base64, with commas between.',
    );
    expect(parseSettings({ POS_SECRET_KEY_OLD: `${oldKey}, ${key}` }).POS_SECRET_KEY_OLD).toEqual([oldKey, key]);
  });
});

const options = { within: '26', booksMinutes: '0' };

describe('tokens', () => {
  const till = { name: 'Till 7', acl: 'Vendor_Pos::locations' };
  const ask = (token: string) => api.call('GET', '/V1/pos/locations?searchCriteria[page_size]=1', { token });
  const tokensOf = async (name: string) => {
    const rows = (await listTokens(shop())).json as { name: string; valid: Record<string, unknown>[] }[];
    return rows.find((row) => row.name === name)?.valid ?? [];
  };

  test('rotated, both open the same until the overlap is over; then the old one is 401', async () => {
    const { text: old } = await createToken(shop(), till);
    const { text: fresh, json } = await rotateToken(shop(), till.name, { overlap: '24h' });
    expect(json).toMatchObject({ ending: 1, ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/) });
    expect([(await ask(old)).status, (await ask(fresh)).status]).toEqual([200, 200]);

    const list = await listTokens(shop());
    expect(list.text).toMatch(/^ID +NAME +VALID +SINCE \(UTC\) +LAST USE \(UTC\) +ENDS \(UTC\) +RESOURCES$/m);
    expect((await tokensOf(till.name)).map((token) => token['expires_at'])).toEqual([expect.any(String), null]);
    expect(JSON.stringify(list)).not.toContain(fresh);

    const { integration_id: id } = await findOne('integration', { name: till.name }, 'integration_id');
    const rows = await find('access_token', { user_type: 'integration', user_id: id }, 'token_id');
    await change('access_token', { token_id: rows[0]?.token_id }, { expires_at: minutesAgo(1) });
    expect([(await ask(old)).status, (await ask(fresh)).status]).toEqual([401, 200]);
    expect(await tokensOf(till.name)).toHaveLength(1);
  });

  test('without an overlap the old one ends at once', async () => {
    const [before] = [(await rotateToken(shop(), till.name, { overlap: '24h' })).text];
    const { text: after } = await rotateToken(shop(), till.name, { overlap: '0' });
    expect([(await ask(before)).status, (await ask(after)).status]).toEqual([401, 200]);
  });

  test('the last use is known to the hour, and is written once for many requests', async () => {
    const { text: token } = await rotateToken(shop(), till.name, { overlap: '0' });
    const used = async () => (await tokensOf(till.name))[0]?.['last_used_at'];
    expect(await used()).toBeNull();

    await Promise.all([ask(token), ask(token), ask(token)]);
    expect(await used()).toBeNull();
    await writeTokenUses(fork());
    const first = await used();
    expect(first).toEqual(expect.any(String));

    const { integration_id: id } = await findOne('integration', { name: till.name }, 'integration_id');
    const which = { user_type: 'integration', user_id: id, expires_at: null };
    await change('access_token', which, { last_used_at: minutesAgo(50) });
    await ask(token);
    await writeTokenUses(fork());
    expect(await used()).not.toBe(first);
    const fiftyAgo = await used();
    await change('access_token', which, { last_used_at: minutesAgo(70) });
    await ask(token);
    await writeTokenUses(fork());
    expect(await used()).not.toBe(fiftyAgo);
    expect(String(await used()) >= String(first)).toBe(true);
  });

  test('an integration that signs rotates its values the same way', async () => {
    const signing = { name: 'Web shop', acl: 'Vendor_Pos::locations' };
    const { consumer_key: old } = (await createIntegration(shop(), signing)).json as { consumer_key: string };
    const rotated = await rotateIntegration(shop(), signing.name, { overlap: '7d' });
    const { consumer_key: fresh } = rotated.json as { consumer_key: string };
    expect(rotated.json).toMatchObject({ ending: 1, resources: ['Vendor_Pos::locations'] });
    const isOver = async (consumerKey: string) => (await findSigner(fork(), consumerKey))?.revokedAt !== null;
    expect([await isOver(old), await isOver(fresh)]).toEqual([false, false]);

    await change('access_token', { consumer_key: old }, { expires_at: minutesAgo(1) });
    expect([await isOver(old), await isOver(fresh)]).toEqual([true, false]);
    expect(await tokensOf(signing.name)).toMatchObject([{ signs: true, expires_at: null }]);
  });

  test.each(['24', 'soon', '31d', '-1h', '0h0', ''])(
    'an overlap of %j is refused, and nothing is made',
    async (overlap) => {
      const before = await howMany('access_token');
      await expect(rotateToken(shop(), till.name, { overlap })).rejects.toMatchObject({ status: 400 });
      expect(await howMany('access_token')).toBe(before);
    },
  );

  test('a name that nobody has is refused', async () => {
    await expect(rotateToken(shop(), 'Till 99', { overlap: '24h' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('backup check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-backups-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const linesOf = async (more: object) => (await checkBackup(shop(), { ...options, ...more })).text;

  test('the newest file of a folder must be young enough, and hold something', async () => {
    expect(await linesOf({ folder })).toMatch(/^BROKEN +backup +\S+ is empty → see that the job/m);
    const file = join(folder, 'pos.dump');
    writeFileSync(file, '');
    expect(await linesOf({ folder })).toMatch(/^BROKEN +backup +the newest of \S+ is pos\.dump, 0 min old, and empty/m);
    writeFileSync(file, 'rows');
    expect(await linesOf({ folder })).toMatch(/^ok +backup +the newest of \S+ is pos\.dump, 0 min old$/m);
    utimesSync(file, minutesAgo(1_600), minutesAgo(1_600));
    expect(await linesOf({ folder })).toMatch(/^BROKEN +backup +the newest of \S+ is pos\.dump, 1600 min old/m);
    expect(await linesOf({ folder: join(folder, 'none') })).toMatch(/^BROKEN +backup +ENOENT.* → correct --folder/m);
  });

  test('of a database whose WAL is not archived it tells what a loss takes', async () => {
    expect(await linesOf({})).toMatch(
      /^warning +archive +WAL is not archived: a loss takes everything since the last backup/m,
    );
  });

  test('a copy is looked at as well, and is told to be one', async () => {
    await change('installation', {}, { home: 'where its workers know it' });
    expect(await linesOf({})).toMatch(
      /^warning +place +this is a copy, or was restored from a dump: no worker starts on it → /m,
    );
    await change('installation', {}, { home: null });
  });

  test('broken books fail it, and a database that is away is one line', async () => {
    const source = await testDatabaseUrl();
    const copy = await copyOfDatabase(source);
    expect((await checkBackup(shop(), { within: '26', booksMinutes: '5', database: copy })).text).toMatch(
      /^ok +books +all \d+ rules hold$/m,
    );
    const away = await checkBackup(shop(), { ...options, database: 'postgres://pos:hidden@127.0.0.1:9/pos' });
    expect(away.isFine).toBe(false);
    expect(away.text).toMatch(
      /^BROKEN +database +127\.0\.0\.1:9\/pos does not answer \(.+\) → start it, or correct DATABASE_URL$/,
    );
    await expect(checkBackup(shop(), { ...options, within: 'a day' })).rejects.toMatchObject({ status: 400 });
  });
});
