import type { Row } from '../books.ts';

interface Books {
  write: (sql: string, ...values: unknown[]) => Promise<void>;
}

/** Inserts these records in one statement, so that tens of thousands take a moment. All have the columns of the first. */
export async function insertMany({ write }: Books, table: string, records: readonly Row[]): Promise<void> {
  const columns = Object.keys(records[0] ?? {}).join(', ');
  await write(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ?)`,
    JSON.stringify(records),
  );
}

/** So many records, each made from its number; the first is 1. */
export const manyRecords = (count: number, made: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, at) => made(at + 1));
