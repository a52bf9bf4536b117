import { z } from 'zod';
import { reportTelemetry, type TelemetrySumRow } from '../../db/telemetry/report-telemetry.ts';
import { dayOf } from '../../domain/telemetry/retention.ts';
import { route } from '../http/route.ts';
import { integer, stockDate } from '../wire/schemas.ts';
import { invalidField } from '../wire/outcomes.ts';

/** Without dates: the last month. */
const defaultDays = 30;
/** Earlier dates are refused, because no earlier telemetry is stored. */
const earliestDay = '2000-01-01';
/** A limit, because registers choose the names themselves. */
const mostRows = 10_000;

const rowAnswer = z.object({
  day: z.iso.date(),
  location_id: z.int().nullable(),
  event_type: z.string(),
  event_name: z.string(),
  event_count: z.int(),
  value_count: z.int(),
  value_sum: z.number(),
  value_min: z.number().nullable(),
  value_max: z.number().nullable(),
  is_final: z.boolean(),
});

/** Counts of telemetry by day, location and name (spec 4.10; the shape is our choice), newest day first. */
export const telemetryReport = route({
  method: 'GET',
  path: '/V1/pos/telemetry/report',
  acl: 'Vendor_Pos::pos',
  summary: 'Telemetry by day, location and name',
  name: 'getTelemetryReport',
  description: `Sums by day, location and name, the newest day first. Without dates it is the last 30 days. Days are
    UTC, and both ends belong to it. \`is_final\` is false for days that are not summed up yet: today, and yesterday
    until 04:00. \`is_complete\` is false where there are more than 10,000 rows.`,
  outcomes: [invalidField('`from` or `to` is no date.')],
  query: z.object({ locationId: integer.optional(), from: stockDate.optional(), to: stockDate.optional() }),
  response: z.object({
    location_id: z.int().nullable(),
    from: z.iso.date(),
    to: z.iso.date(),
    total_events: z.int(),
    is_complete: z.boolean(),
    rows: z.array(rowAnswer),
  }),

  async handle({ em, query, now }) {
    const last = query.to ?? now;
    const to = dayOf(last);
    const asked = query.from ? dayOf(query.from) : dayOf(last, -defaultDays);
    const from = asked < earliestDay ? earliestDay : asked;
    const question = { locationId: query.locationId, from, to, today: dayOf(now), limit: mostRows + 1 };
    const found = await reportTelemetry(em, question);
    const rows = found.slice(0, mostRows).map(renderSum);
    return {
      location_id: query.locationId ?? null,
      from,
      to,
      total_events: rows.reduce((sum, row) => sum + row.event_count, 0),
      is_complete: found.length <= mostRows,
      rows,
    };
  },
});

const renderSum = (row: TelemetrySumRow) => ({
  day: row.day,
  location_id: row.location_id,
  event_type: row.event_type,
  event_name: row.event_name,
  event_count: Number(row.event_count),
  value_count: Number(row.value_count),
  value_sum: Number(row.value_sum),
  value_min: row.value_min === null ? null : Number(row.value_min),
  value_max: row.value_max === null ? null : Number(row.value_max),
  is_final: row.is_final,
});
