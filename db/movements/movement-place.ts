import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** Where money changes hands: the register, and its session. Both are optional, and an unknown terminal is ignored. */
export interface RegisterPlace {
  terminalId?: number | undefined;
  /** Any case. */
  registerSessionUuid?: string | undefined;
}

const stored = ({ terminalId, registerSessionUuid }: RegisterPlace) => ({
  terminalId: terminalId ?? null,
  registerSessionUuid: registerSessionUuid?.trim().toLowerCase() || null,
});

const keep = sql('movement-place.keep')`
  insert into pos_movement_place (place_key, terminal_id, register_session_uuid)
  values ($placeKey, (select terminal_id from pos_terminal where terminal_id = $terminalId?), $registerSessionUuid?)
  on conflict (place_key) do update set terminal_id = excluded.terminal_id,
    register_session_uuid = excluded.register_session_uuid
  where pos_movement_place.place_key like 'return %'`;

/**
 * Stores where a document changes hands, before a workflow writes it; without a place nothing is stored. A repeat of an
 * operation changes nothing. A return is settled once, and its latest request states the place.
 */
async function keepPlace(em: EntityManager, placeKey: string, place: RegisterPlace): Promise<void> {
  const { terminalId, registerSessionUuid } = stored(place);
  if (terminalId !== null || registerSessionUuid !== null)
    await keep.run(em, { placeKey, terminalId, registerSessionUuid });
}

/** Of a payment or the cancellation of a layaway. */
export const keepPlaceOfOperation = (em: EntityManager, operationKey: string, place: RegisterPlace): Promise<void> =>
  keepPlace(em, `operation ${operationKey}`, place);

export const keepPlaceOfReturn = (em: EntityManager, returnId: number, place: RegisterPlace): Promise<void> =>
  keepPlace(em, `return ${returnId}`, place);

const assign = sql('movement-place.assign')`
  update pos_movement m set terminal_id = coalesce(t.terminal_id, m.terminal_id),
    register_session_uuid = coalesce($registerSessionUuid?, m.register_session_uuid),
    location_id = coalesce(t.location_id, m.location_id),
    tender = case when $paymentMethod?::text is null then m.tender else pos_tender_of($paymentMethod) end,
    is_tender_stated = m.is_tender_stated or $paymentMethod::text is not null
  from (select 1) as one left join pos_terminal t on t.terminal_id = $terminalId?
  where m.source = 'money_in' and m.source_id = $moneyInId`;

/** Assigns the movement of a payment of what is due, in the transaction that writes it. */
export async function assignDuePayment(
  em: EntityManager,
  moneyInId: number,
  { paymentMethod, ...place }: RegisterPlace & { paymentMethod: string | null },
): Promise<void> {
  const { terminalId, registerSessionUuid } = stored(place);
  if (terminalId === null && registerSessionUuid === null && paymentMethod === null) return;
  await assign.run(em, { moneyInId, terminalId, registerSessionUuid, paymentMethod });
}
