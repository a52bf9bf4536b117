import { columns } from '../cli/support/columns.ts';
import type { PdfsMeasured } from './measure-pdfs.ts';
import { median } from './support/statistics.ts';

const mostOfBare = 1.2;

/** A receipt's PDF beside the bare one: the median, and the slowest of twenty. */
export function reportPdfs(measured: readonly PdfsMeasured[]): string {
  const rows = measured.map(({ atOnce, ms, bareMs }) => {
    const late = slowest(ms) / slowest(bareMs);
    return [
      `receipt PDF, ${atOnce} at once`,
      `${median(ms).toFixed(0)} / ${slowest(ms).toFixed(0)} ms`,
      `${median(bareMs).toFixed(0)} / ${slowest(bareMs).toFixed(0)} ms`,
      (median(ms) / median(bareMs)).toFixed(2),
      late.toFixed(2),
      `≤ ${mostOfBare} at p95 ${late <= mostOfBare ? 'met' : 'MISSED'}`,
    ];
  });
  return `\n${columns([['PDF', 'OURS (p50 / p95)', 'BARE PAGE.PDF()', 'RATIO p50', 'p95', 'TARGET'], ...rows])}`;
}

/** One of twenty takes longer. */
const slowest = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
