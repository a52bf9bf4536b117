interface Books {
  write: (sql: string) => Promise<void>;
}

/** The table is away until the work is done, so that whatever needs it fails. */
export async function withoutTable<Result>(
  { write }: Books,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await write(`alter table ${table} rename to away`);
  try {
    return await work();
  } finally {
    await write(`alter table away rename to ${table}`);
  }
}

/** The database refuses every new record of the table, with these words, until the work is done. */
export async function whileRefused<Result>(
  { write }: Books,
  { table, words }: { table: string; words: string },
  work: () => Promise<Result>,
): Promise<Result> {
  await write(`create function refuse_record() returns trigger language plpgsql as
    $$ begin raise exception '${words}'; end $$`);
  await write(`create trigger refuse_record before insert on ${table} for each row execute function refuse_record()`);
  try {
    return await work();
  } finally {
    await write(`drop trigger refuse_record on ${table}`);
    await write('drop function refuse_record');
  }
}
