/** A line each 2.592 seconds: ten millions in 300 days, with some 1 400 lines an hour. The last is months old. */
const firstDaysAgo = 400;
const secondsApart = 2.592;
const linesAtOnce = 250_000;

export interface TrailWish {
  execute: (sql: string) => Promise<unknown>;
  say: (line: string) => void;
}

/** When a line was written, in SQL, or as the moment it is. */
const momentSql = (line: string) =>
  `current_date - interval '${firstDaysAgo} days' + ${line} * interval '${secondsApart} seconds'`;

export const momentOf = (line: number): Date =>
  new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - firstDaysAgo * 86_400_000 + line * secondsApart * 1_000);

/**
 * Lines of the audit trail from one number on, up to but without another.
 *
 * A hundred lines at a time come from one person at one of 200 terminals in 20 locations. Person 1 is behind every tenth
 * hundred, all others write a hundred lines and no more, as every thing has a hundred. There are ten kinds, and one
 * line in a hundred is of a rare one.
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
