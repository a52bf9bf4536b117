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
