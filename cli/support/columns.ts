/** Rows under one another, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}
