import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import {
  DriverException,
  ForeignKeyConstraintViolationException,
  LockMode,
  type EntityManager,
  type FilterQuery,
  type UniqueConstraintViolationException,
} from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { columnsOf } from './entity-columns.ts';
import type { SearchField } from './fields.ts';
import { freshReads } from './fresh-reads.ts';
import { refuseTaken } from './refuse-taken.ts';
import type { StoredCount } from './stored-count.ts';
import { searchesRecords, type SearchedRecords } from './search-records.ts';
import { recordsOf, searchesGrowing } from './search-growing.ts';
import type { Found } from './search.ts';
import { transact } from './transact.ts';

/** PostgreSQL 18's code where a foreign key restricts a deletion; older versions use the code of every foreign key. */
const restrictViolation = '23001';

/** Whether a deletion failed because another record refers to the deleted one. */
export const isStillNeeded = (error: unknown): boolean =>
  error instanceof ForeignKeyConstraintViolationException ||
  (error instanceof DriverException && error.code === restrictViolation);

/** Which records, and by what they are found. */
export interface Stored<Row extends object, Id extends string | number> {
  entity: EntitySchemaWithMeta<string, string, Row>;
  /** The property that names a record. */
  key: keyof Row & string;
  /** By wire name: every field that a caller may filter and sort by, and none that is a secret. */
  fields: Readonly<Record<string, SearchField>>;
  /** Where triggers count the records. */
  kept?: StoredCount;
  /** The refusal where there is no such record. */
  unknown: (id: Id) => Error;
}

/** What differs in the changes of one kind of record and the next. */
export interface Rules<Row extends object, Draft, Id extends string | number, Author> extends Stored<Row, Id> {
  /** Takes what all changes of these records take turns by; absent: each record alone. */
  hold?(tx: EntityManager): Promise<unknown>;
  /** Refuses what is wrong with a draft before the record is looked for; a new one has no id. */
  check?(tx: EntityManager, draft: Draft, id: Id | undefined): Promise<void> | void;
  /** Refuses what is wrong, then creates the record or assigns to the known one, which is locked. */
  write(tx: EntityManager, draft: Draft, known: Row | undefined): Promise<Row> | Row;
  /** The refusal where a unique index finds a value taken: of two saves at once the index decides. */
  taken?: (draft: Draft, by: UniqueConstraintViolationException) => Error;
  /** Refuses where something else needs the record, which is locked, or takes along what belongs to it. */
  beforeDelete?(tx: EntityManager, record: Row): Promise<void> | void;
  /** The refusal where a foreign key of another record holds this one. */
  needed?: () => Error;
  /** Where each change of a field is noted. */
  trail?: Trail<Author>;
}

/** Notes what a save or a deletion changed, in its transaction. */
export interface Trail<Author> {
  before(tx: EntityManager, id: number): Promise<Facts>;
  note(tx: EntityManager, change: { id: number; before: Facts; by: Author | undefined }): Promise<void>;
}

type Facts = Readonly<Record<string, unknown>>;

export interface RecordReads<Row extends object, Id extends string | number> {
  search: (em: EntityManager, criteria: SearchCriteria) => Promise<Found<Row>>;
  /** Refused with `unknown`. */
  find: (em: EntityManager, id: Id) => Promise<Row>;
}

/** Records of one kind that somebody edits one at a time. */
export interface Records<Row extends object, Draft, Id extends string | number, Author = unknown> extends RecordReads<
  Row,
  Id
> {
  /**
   * Without an id it creates a record. A repeat of a change leaves the same one. Refused with `unknown`, `taken` and
   * what `check` and `write` refuse.
   */
  save: (em: EntityManager, save: { id?: Id | undefined; draft: Draft; by?: Author | undefined }) => Promise<Row>;
  /** A repeat finds nothing. Refused with `unknown`, `needed` and what `beforeDelete` refuses. */
  remove: (em: EntityManager, id: Id, by?: Author) => Promise<void>;
}

/** Finds records of an entity: one by MikroORM, many by the platform's search criteria. */
export function recordReads<Row extends object, Id extends string | number>({
  entity,
  key,
  fields,
  kept,
  unknown,
}: Stored<Row, Id>): RecordReads<Row, Id> {
  const order = columnsOf(entity).find((column) => column.key === key)?.name ?? key;
  return {
    search: kept ? searchesCounted({ entity, key, fields, order, kept }) : searchesRecords({ entity, fields, order }),

    async find(em, id) {
      const found = await freshReads(em).findOne(entity, whereIs(key, id));
      if (!found) throw unknown(id);
      return found;
    },
  };
}

/** Finds records whose total triggers count. */
const searchesCounted = <Row extends object>({
  entity,
  key,
  ...listed
}: SearchedRecords<Row> & { key: keyof Row & string; kept: StoredCount }) =>
  searchesGrowing<Row>({
    table: entity.meta.tableName,
    ...listed,
    ...recordsOf(entity, key),
  });

/** Keeps records of an entity by MikroORM. A change locks the record first, so that changes at once take turns. */
export function records<Row extends object, Draft, Id extends string | number, Author = unknown>(
  rules: Rules<Row, Draft, Id, Author>,
): Records<Row, Draft, Id, Author> {
  const { entity, key, trail, taken, needed } = rules;

  const lock = async (tx: EntityManager, id: Id): Promise<Row> => {
    const found = await tx.findOne(entity, whereIs(key, id), { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) throw rules.unknown(id);
    return found;
  };
  const factsBefore = async (tx: EntityManager, id: Id | undefined): Promise<Facts> =>
    typeof id === 'number' && trail ? trail.before(tx, id) : {};

  return {
    ...recordReads(rules),

    save(em, { id, draft, by }) {
      const work = () =>
        transact(em, async (tx) => {
          await rules.hold?.(tx);
          await rules.check?.(tx, draft, id);
          const before = await factsBefore(tx, id);
          const record = await rules.write(tx, draft, id === undefined ? undefined : await lock(tx, id));
          await tx.flush();
          await trail?.note(tx, { id: Number(record[key]), before, by });
          return record;
        });
      return taken ? refuseTaken(work, (by) => taken(draft, by)) : work();
    },

    async remove(em, id, by) {
      try {
        await transact(em, async (tx) => {
          await rules.hold?.(tx);
          const before = await factsBefore(tx, id);
          const record = await lock(tx, id);
          await rules.beforeDelete?.(tx, record);
          await tx.remove(record).flush();
          await trail?.note(tx, { id: Number(id), before, by });
        });
      } catch (error) {
        if (needed && isStillNeeded(error)) throw needed();
        throw error;
      }
    },
  };
}

const whereIs = <Row extends object>(key: keyof Row & string, id: string | number) =>
  ({ [key]: id }) as FilterQuery<NoInfer<Row>>;
