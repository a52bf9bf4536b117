/** A statement as the API sent it, with what came back. */
export interface Recorded {
  text: string;
  values: unknown[];
  rows: Record<string, unknown>[];
}

/** A statement to send again: values that depend on the request or on an earlier answer are worked out each time. */
export interface ReplayStep {
  text: string;
  values: (rows: readonly Row[][], subject: string) => unknown[];
}

type Row = Record<string, unknown>;

/** Whose token it is and which store view is meant are questions of ours, not of the path. */
const isNotOfThePath = ({ text }: Recorded) =>
  /\baccess_token\b/.test(text) || /from store_view v join website/.test(text);

/** Ids and human numbers of a bench shop: long enough to stand for nothing else. */
const marks = /\d{8,}/g;

/**
 * The statements of one request, ready to be sent for any other subject.
 *
 * Digits of the recorded subject become those of the new one; digits that an earlier statement brought become what it
 * brings this time.
 */
export function replayOf(recorded: readonly Recorded[], subject: string): ReplayStep[] {
  const sent = recorded.filter((one) => !isNotOfThePath(one));
  return sent.map(({ text, values }, index) => {
    const templates = values.map((value) => templateOf(value, { subject, earlier: sent.slice(0, index) }));
    return { text, values: (rows, now) => templates.map((fill) => fill(rows, now)) };
  });
}

type Fill = (rows: readonly Row[][], subject: string) => unknown;

function templateOf(value: unknown, known: { subject: string; earlier: readonly Recorded[] }): Fill {
  const json = JSON.stringify(value) ?? 'null';
  const found = [...new Set(json.match(marks))].flatMap((mark) => sourceOf(mark, known) ?? []);
  if (found.length === 0) return () => value;
  return (rows, subject) =>
    JSON.parse(found.reduce((text, { mark, read }) => text.replaceAll(mark, read(rows, subject)), json));
}

interface Source {
  mark: string;
  read: (rows: readonly Row[][], subject: string) => string;
}

function sourceOf(
  mark: string,
  { subject, earlier }: { subject: string; earlier: readonly Recorded[] },
): Source | undefined {
  if (mark === subject) return { mark, read: (_rows, now) => now };
  for (const [step, { rows }] of earlier.entries()) {
    for (const [row, cells] of rows.entries()) {
      const column = Object.keys(cells).find((name) => String(cells[name]) === mark);
      if (column !== undefined) return { mark, read: (live) => String(live[step]?.[row]?.[column]) };
    }
  }
  return undefined;
}
