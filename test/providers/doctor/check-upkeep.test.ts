import { describe, expect, test } from '@jest/globals';
import { checkNights, collation, oldestTransaction, sequences } from '../../../providers/doctor/check-upkeep.ts';
import { spoken, type DoctorContext } from '../../../providers/doctor/check.ts';
import { german } from '../../../providers/doctor/words.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';

describe('what wears out unseen', () => {
  const orm = useDatabase();
  const { change } = booksOf(() => orm);
  const em = () => orm.em.fork();

  test('a sort library that changed under the indexes is broken, and the fix is a command', async () => {
    expect(spoken(await collation(em()))).toMatchObject({ state: 'ok' });
    await em().execute(`create collation upkeep (provider = icu, locale = 'de')`);
    await em().execute(`create table upkeep (name text collate upkeep unique)`);
    expect(spoken(await collation(em()))).toMatchObject({ state: 'ok' });
    await em().execute(`update pg_collation set collversion = '1.0' where collname = 'upkeep'`);

    expect(spoken(await collation(em()))).toMatchObject({
      state: 'broken',
      says: expect.stringMatching(/changed under the indexes of upkeep \(built with 1\.0, now .+\)/),
      fix: expect.stringMatching(/^reindex database "\w+"; alter collation public\.upkeep refresh version;$/),
    });
  });

  test('the oldest transaction is named, also where it only reads', async () => {
    await em().transactional(async (reader) => {
      await reader.execute('set local transaction isolation level repeatable read');
      const [{ pid }] = await reader.execute<[{ pid: number }]>('select pg_backend_pid() as pid');
      expect(spoken(await oldestTransaction(em()))).toMatchObject({ state: 'ok' });
      expect(spoken(await oldestTransaction(em(), 0))).toMatchObject({
        state: 'warning',
        says: expect.stringContaining('PostgreSQL cannot remove old rows'),
        fix: `select pg_terminate_backend(${pid});`,
      });
    });
  });

  test('a sequence that has used more than half of its ids is named with its share, and with what to do', async () => {
    const ids = async () => spoken(await sequences(em()));
    expect(await ids()).toMatchObject({ name: 'ids', state: 'ok', says: expect.stringContaining('has used 0 %') });

    await em().execute(`select setval('quote_quote_id_seq', ${2 ** 52 - 1})`);
    expect(await ids()).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('quote_quote_id_seq, has used 49 %'),
    });

    await em().execute(`select setval('quote_quote_id_seq', ${2 ** 52 + 2 ** 50})`);
    await em().execute('create sequence narrow as integer; ' + `select setval('narrow', 2000000000)`);
    expect(await ids()).toEqual({
      name: 'ids',
      state: 'warning',
      says: 'more than half of the ids are used: narrow 93 %, quote_quote_id_seq 62 %. At 100 % every insert fails',
      fix: expect.stringContaining('docs/operators/alerts.md#posidsrunout'),
    });
    expect(spoken(await sequences(em()), german).fix).toContain('höchsten ID ihrer Tabelle');
  });

  test('a night that was missed is named with its age', async () => {
    const context = { em: () => Promise.resolve(em()) } as unknown as DoctorContext;
    const nights = async () => spoken((await checkNights(context))[0]!);
    expect(await nights()).toMatchObject({ name: 'nights', state: 'ok' });
    await change('night_run', { night: 'check-books' }, { ended_at: new Date(Date.now() - 3.5 * 86_400_000) });
    expect(await nights()).toMatchObject({ state: 'warning', says: 'missed: check-books, for up to 3 days' });
  });
});
