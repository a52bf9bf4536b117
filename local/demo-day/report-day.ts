import type { OpenRegister } from './open-register.ts';
import type { Json, Teller } from './teller.ts';

/** A register's report when it closes: what it counted during the day, and what was changed at it. */
export async function reportDay(teller: Teller, register: OpenRegister): Promise<void> {
  teller.chapter('Closing: telemetry and the audit trail');
  await tellTelemetry(teller, register);
  await reportAudit(teller, register);
}

async function tellTelemetry(teller: Teller, { locationId, terminalId }: OpenRegister): Promise<void> {
  const recordedAt = new Date().toISOString();
  const event = (name: string, value: number) => ({
    event_type: 'counter',
    event_name: name,
    value,
    recorded_at: recordedAt,
  });
  const events: Json[] = [event('checkout_completed', 4), { event_name: 'of no type' }, event('cart_held', 1)];
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/telemetry',
    body: { payload: { location_id: locationId, terminal_id: terminalId, app_version: 'demo', events } },
    means: (isStored) => `Two good events and a malformed one that costs the others nothing: ${isStored}.`,
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/telemetry/report?locationId=${locationId}`,
    as: 'admin',
    means: ({ total_events, rows }) => `The location's report counts ${total_events} events in ${rows.length} rows.`,
  });
}

async function reportAudit(teller: Teller, register: OpenRegister): Promise<void> {
  const { terminalId, locationId, staffId, staffName } = register;
  const entry = {
    entity_type: 'register_session',
    entity_id: String(terminalId),
    field_name: 'counted_cash',
    old_value: '0.00',
    new_value: '159.92',
    staff_id: staffId,
    staff_name: staffName,
    terminal_id: terminalId,
    location_id: locationId,
  };
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/audit-log',
    body: { entries: [entry, { ...entry, entity_type: '', field_name: '', new_value: 'the drawer stuck' }] },
    means: () => 'Two entries; the one that forgot its names is kept as unknown, not refused.',
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/audit-log?${newestOf(terminalId)}`,
    as: 'admin',
    means: ({ items, total_count }) =>
      `${total_count} lines about this terminal: ${items.map(lineOf).join('; ')}; the administrator's own among them.`,
  });
}

const newestOf = (terminalId: number) =>
  new URLSearchParams({
    'searchCriteria[filter_groups][0][filters][0][field]': 'entity_id',
    'searchCriteria[filter_groups][0][filters][0][value]': String(terminalId),
    'searchCriteria[sort_orders][0][field]': 'log_id',
    'searchCriteria[sort_orders][0][direction]': 'DESC',
    'searchCriteria[page_size]': '4',
  }).toString();

const lineOf = ({ change_source, entity_type, field_name, new_value }: Json) =>
  `${change_source} ${entity_type}.${field_name} = ${new_value ?? 'nothing'}`;
