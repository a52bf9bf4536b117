/** An entry every 2.592 seconds: ten million in 300 days, about 1 400 an hour. The last is months old. */
const firstDaysAgo = 400;
const secondsApart = 2.592;
const linesAtOnce = 250_000;

export interface TrailWish {
  execute: (sql: string) => Promise<unknown>;
  say: (line: string) => void;
}

/** The time of an entry, as SQL or as a date. */
const momentSql = (line: string) =>
  `current_date - interval '${firstDaysAgo} days' + ${line} * interval '${secondsApart} seconds'`;

export const momentOf = (line: number): Date =>
  new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - firstDaysAgo * 86_400_000 + line * secondsApart * 1_000);

/**
 * Writes audit entries from one number on, up to and excluding another.
 *
 * Each hundred entries come from one person at one of 200 terminals in 20 locations. Person 1 wrote every tenth
 * hundred, every other person exactly one hundred; each record has a hundred entries. There are ten kinds, and one
 * entry in a hundred is of a rare kind.
 */
export async function growTrail({ execute, say }: TrailWish, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += linesAtOnce) {
    const end = Math.min(start + linesAtOnce, to);
    await execute(
      `insert into pos_audit_log (entity_type, entity_id, field_name, new_value, change_source, staff_id, terminal_id,
         location_id, created_at)
       select case n % 100 when 7 then 'rare kind' else 'kind ' || n % 10 end, n / 100, 'price', 'x',
         case n % 2 when 0 then 'api' else 'pos_terminal' end, case n / 100 % 10 when 1 then 1 else n / 100 end,
         n / 100 % 200, n / 100 % 20, ${momentSql('n')}
       from generate_series(${start}, ${end} - 1) n`,
    );
    say(`… ${end} lines`);
  }
  await execute('vacuum analyze pos_audit_log');
}
