/** The most lines of a story, to limit memory and reading. */
const rowsEach = 500;

/** A moment as ISO 8601 in UTC. */
export const at = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for a list of JSON objects: `fields` are pairs of name and SQL. */
export const list = (fields: Record<string, string>, from: string, order: string) => `
  (select coalesce(json_agg(row), '[]') from (
    select json_build_object(${pairs(fields)}) as row ${from} order by ${order} limit ${rowsEach}) as rows)`;

/** `'name', sql, 'name', sql` */
export const pairs = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ');
