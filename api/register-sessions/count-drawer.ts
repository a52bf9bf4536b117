import { z } from 'zod';
import { findSession } from '../../db/register-sessions/find-session.ts';
import { findCount, findMovement } from '../../db/register-sessions/read-sessions.ts';
import { sessionMovementKinds } from '../../db/register-sessions/register-session.entity.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { zero } from '../../domain/money.ts';
import { finerThanCoin } from '../../domain/refusals/money.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import {
  cashAmountNotPositive,
  cashNotCounted,
  currencyNotOpened,
  currencyOpenedTwice,
  noSaleHasNoAmount,
  registerSessionNotFound,
  sessionIsClosed,
  sessionIsCounted,
  tenderUnknown,
  uuidReused,
} from '../../domain/refusals/register-sessions.ts';
import { refuseFinerThanCoin } from '../../domain/whole-coins.ts';
import { countUpdate, moveCashUpdate } from '../../workflows/register-sessions/messages.ts';
import { route } from '../http/route.ts';
import { cardNumber } from '../wire/outcomes.ts';
import { currencyCode, money, payload, text } from '../wire/schemas.ts';
import {
  countedLine,
  hashOf,
  makeOnce,
  mostLines,
  named,
  refuseTwice,
  storedLine,
  uuid,
  uuidParam,
} from './ask-session.ts';
import { countAnswer, movementAnswer, renderCount, renderMovement } from './session-answers.ts';

const movementBody = payload({
  movement_uuid: uuid,
  kind: z.enum(sessionMovementKinds),
  amount: money.optional(),
  currency: currencyCode.optional(),
  reason: text(1_000).default(''),
});

/** Puts cash into a drawer, or takes it out. */
export const moveRegisterCash = route({
  method: 'POST',
  path: '/V1/pos/register-sessions/:registerSessionUuid/movements',
  acl: 'Vendor_Pos::locations',
  summary: 'Move cash of a drawer',
  name: 'moveRegisterCash',
  description: `\`cash_in\` puts the office’s cash into the drawer, \`cash_out\` pays something out of it, \`drop\` brings
    takings to the safe, \`no_sale\` notes that the drawer was opened. The amount is above zero, in a currency of the
    opening. A repeat with the same \`movement_uuid\` answers the stored movement. A movement after an accepted count
    makes another count necessary.`,
  outcomes: [
    registerSessionNotFound,
    cashAmountNotPositive,
    noSaleHasNoAmount,
    currencyNotOpened,
    finerThanCoin,
    cardNumber,
    sessionIsClosed,
    uuidReused,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: uuidParam,
  body: z.object({ movement: movementBody }),
  response: movementAnswer,

  async handle(request) {
    const { em, params, body } = request;
    const { kind, reason } = body.movement;
    const registerSessionUuid = named(params.registerSessionUuid);
    const movementUuid = named(body.movement.movement_uuid);
    const code = body.movement.currency?.toUpperCase() ?? null;
    const amount = body.movement.amount ?? zero;
    if (kind === 'no_sale' && (amount !== zero || code !== null)) throw noSaleHasNoAmount();
    if (kind !== 'no_sale' && amount <= 0) throw cashAmountNotPositive();
    if (kind !== 'no_sale' && code === null) throw currencyNotOpened(['']);
    if (code !== null) refuseFinerThanCoin(amount, code);
    refuseCardData(reason);
    await findSession(em, registerSessionUuid);
    const facts = { kind, amount, currency: code, reason };
    const requestHash = hashOf({ registerSessionUuid, ...facts });
    const moved = await makeOnce(request, {
      ...{ registerSessionUuid, uuid: movementUuid, requestHash },
      update: moveCashUpdate,
      body: { ...facts, movementUuid },
      find: () => findMovement(em, movementUuid),
    });
    return renderMovement(registerSessionUuid, moved);
  },
});

const countBody = z.object({
  count_uuid: uuid,
  count: z
    .array(payload({ ...countedLine, tender: text(64) }))
    .min(1)
    .max(mostLines),
});

/** Stores a blind count of a drawer. */
export const countRegisterSession = route({
  method: 'POST',
  path: '/V1/pos/register-sessions/:registerSessionUuid/count',
  acl: 'Vendor_Pos::locations',
  summary: 'Count a drawer',
  name: 'countRegisterSession',
  description: `What was counted of each tender, the cash of each opened currency at least. The answer has no figures:
    \`accepted\` makes the session \`counted\`; \`recount\` says that it differs by more than the shop permits, and
    leaves it open. The last permitted count is accepted, whatever it is. A repeat with the same \`count_uuid\` answers
    the stored count.`,
  outcomes: [
    registerSessionNotFound,
    currencyNotOpened,
    currencyOpenedTwice,
    cashNotCounted,
    tenderUnknown,
    finerThanCoin,
    sessionIsClosed,
    sessionIsCounted,
    uuidReused,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: uuidParam,
  body: countBody,
  response: countAnswer,

  async handle(request) {
    const { em, params, body } = request;
    const registerSessionUuid = named(params.registerSessionUuid);
    const countUuid = named(body.count_uuid);
    const lines = body.count.map(({ tender, ...line }) => ({
      ...storedLine(line),
      tender: tender.trim().toLowerCase(),
    }));
    refuseTwice(lines.map((line) => `${line.currency} ${line.tender}`));
    await findSession(em, registerSessionUuid);
    const requestHash = hashOf({ registerSessionUuid, lines });
    const counted = await makeOnce(request, {
      ...{ registerSessionUuid, uuid: countUuid, requestHash },
      update: countUpdate,
      body: { lines, countUuid },
      find: () => findCount(em, countUuid),
    });
    return renderCount(registerSessionUuid, counted);
  },
});
