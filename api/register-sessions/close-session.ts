import { z } from 'zod';
import { findSession } from '../../db/register-sessions/find-session.ts';
import { lastClosingOf } from '../../db/register-sessions/read-closings.ts';
import { readWholeSession } from '../../db/register-sessions/read-sessions.ts';
import type { RegisterSession } from '../../db/register-sessions/register-session.entity.ts';
import { freshReads } from '../../db/support/fresh-reads.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import {
  sessionStaffUnknown,
  closingApprovalRequired,
  laterSessionExists,
  notASecondPerson,
  recountRequired,
  registerSessionNotFound,
  sessionIsClosed,
  sessionNotClosed,
  sessionNotCounted,
  uuidReused,
} from '../../domain/refusals/register-sessions.ts';
import { credentialsNotValid, tooManyFailedAttempts } from '../../domain/refusals/register.ts';
import { closeUpdate, reopenUpdate } from '../../workflows/register-sessions/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { approvalBody, approverBy } from '../http/approve-by-passcode.ts';
import { cardNumber } from '../wire/outcomes.ts';
import { currencyCode, payload, recordId, text } from '../wire/schemas.ts';
import { askSession, hashOf, mostLines, named, refuseTwice, uuidParam } from './ask-session.ts';
import { closingAnswer, renderClosing, renderWholeSession, sessionAnswer } from './session-answers.ts';
import { seenBy } from './sessions.ts';

const explanation = payload({ currency: currencyCode, tender: text(64), text: text(1_000) });

const closeBody = z.object({
  explanations: z.array(explanation).max(mostLines).default([]),
  closed_by: recordId,
  approval: approvalBody.optional(),
});

/** Closes a counted session. */
export const closeRegisterSession = route({
  method: 'POST',
  path: '/V1/pos/register-sessions/:registerSessionUuid/close',
  acl: 'Vendor_Pos::locations',
  summary: 'Close a drawer',
  name: 'closeRegisterSession',
  description: `Writes the closing of a counted session: numbered for its drawer without gaps, and chained by the
    SHA-256 of the one before. \`explanations\` say why a line differs. A difference above
    \`vendor_pos/closing/approve_above\` needs a second person: send \`approval\` with that person’s e-mail and passcode,
    or let one approve it on \`/ops\`. A repeat answers the stored closing. Late sales change no closing.`,
  outcomes: [
    registerSessionNotFound,
    sessionStaffUnknown,
    cardNumber,
    credentialsNotValid,
    tooManyFailedAttempts,
    sessionIsClosed,
    sessionNotCounted,
    recountRequired,
    closingApprovalRequired,
    notASecondPerson,
    uuidReused,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: uuidParam,
  body: closeBody,
  response: closingAnswer,
  isPrivate: true,

  async handle(request) {
    const { em, params, body } = request;
    const registerSessionUuid = named(params.registerSessionUuid);
    const explanations = body.explanations.map((line) => ({
      currency: line.currency.toUpperCase(),
      tender: line.tender.trim().toLowerCase(),
      text: line.text,
    }));
    refuseTwice(explanations.map((line) => `${line.currency} ${line.tender}`));
    for (const { text: words } of explanations) refuseCardData(words);
    const session = await findSession(em, registerSessionUuid);
    const requestHash = hashOf({ explanations, closedBy: body.closed_by });
    if (session.state === 'closed' && session.closeHash === requestHash) {
      markReplayed(request);
      return closingOf(em, session);
    }
    const approver = body.approval
      ? await approverBy(request, { ...body.approval, terminalId: session.terminalId })
      : null;
    if (approver && !approver.permits('close_register')) throw notASecondPerson();
    await askSession(request, {
      registerSessionUuid,
      update: closeUpdate,
      body: {
        ...{ explanations, closedBy: body.closed_by, requestHash },
        approver: approver && { account: approver.account, email: approver.email, name: approver.name },
      },
      read: () => findSession(em, registerSessionUuid),
      isDone: ({ state, closeHash }) => state === 'closed' && closeHash === requestHash,
    });
    return closingOf(em, session);
  },
});

async function closingOf(em: RouteContext['em'], { sessionId }: Pick<RegisterSession, 'sessionId'>) {
  const closing = await lastClosingOf(freshReads(em), sessionId);
  if (!closing) throw new Error(`session ${sessionId} was closed without a closing`);
  return renderClosing(closing);
}

/** Opens the latest session of a drawer again. */
export const reopenRegisterSession = route({
  method: 'POST',
  path: '/V1/pos/register-sessions/:registerSessionUuid/reopen',
  acl: 'Vendor_Pos::register_reports_manage',
  isForAdmins: true,
  summary: 'Open a closed drawer again',
  name: 'reopenRegisterSession',
  description: `While no later session of the drawer was opened. One more count is permitted, and the next closing
    \`replaces\` the one before, which stays. Sales that came late stay late.`,
  outcomes: [registerSessionNotFound, cardNumber, sessionNotClosed, laterSessionExists, workflowsAway, waitedTooLong],
  commits: 'several',
  params: uuidParam,
  body: z.object({ reason: text(1_000) }),
  response: sessionAnswer,

  async handle(request) {
    const { em, params, body, operation } = request;
    const registerSessionUuid = named(params.registerSessionUuid);
    refuseCardData(body.reason);
    await findSession(em, registerSessionUuid);
    await askSession(request, {
      registerSessionUuid,
      update: reopenUpdate,
      body: { reason: body.reason },
      read: () => findSession(em, registerSessionUuid),
      isDone: ({ reopenedBy, state }) => reopenedBy === operation.key && state !== 'closed',
    });
    return renderWholeSession(await readWholeSession(em, registerSessionUuid, seenBy(request)));
  },
});
