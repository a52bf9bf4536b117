import { z } from 'zod';
import { deleteReturn } from '../../../db/returns/delete-return.ts';
import { readRma, searchRmas } from '../../../db/returns/read-rmas.ts';
import { refuseCardData } from '../../../domain/refuse-card-data.ts';
import { listRoute } from '../../http/list-route.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { moveReturn } from '../move-return.ts';
import { placeReturn } from '../place-return.ts';
import { renderRma, rmaAnswer } from './rma-answer.ts';
import { rmaPayload, wantedStatus, wishOf } from './rma-payload.ts';
import { createRmaWords, deleteRmaWords, getRmaWords, listRmasWords, updateRmaWords } from './rma-words.ts';

const door = { acl: 'Platform_Rma::magento_rma' } as const;

/** Returns in the platform's shape (platform facts 3, 11). */
const listRmas = listRoute({
  ...door,
  ...listRmasWords,
  path: '/V1/returns',
  answer: rmaAnswer,
  find: searchRmas,
  render: renderRma,
});

/** One return in the platform's shape (platform facts 11). Refused with: 404 unknown return. */
const getRma = route({
  ...door,
  ...getRmaWords,
  method: 'GET',
  path: '/V1/returns/:id',
  params: z.object({ id: idParam }),
  response: rmaAnswer,
  handle: async ({ em, params: { id } }) => renderRma(await readRma(em, id)),
});

/**
 * Creates a return that waits as `pending` (platform facts 11), as the register's route does without `autoApprove`. A
 * second call is a second return, unless it has the same `Idempotency-Key`.
 *
 * Refused with: 404 unknown order · 400 what is missing, `return_not_eligible`, parcels.
 */
const createRma = route({
  ...door,
  ...createRmaWords,
  method: 'POST',
  path: '/V1/returns',
  commits: 'several',
  body: z.object({ rmaDataObject: rmaPayload }),
  response: rmaAnswer,

  async handle(request) {
    const { em, body } = request;
    const wish = wishOf(body.rmaDataObject);
    refuseCardData(wish.comment);
    const { rma } = await placeReturn(request, wish);
    return renderRma(await readRma(em, rma.returnId));
  },
});

/**
 * Sets the status of a return (platform facts 11), its own or the one that its items name. Nothing else of it changes.
 *
 * Refused with: 404 unknown return · 400 a move that is not permitted, several statuses · 409 `return_not_ready`.
 */
const updateRma = route({
  ...door,
  ...updateRmaWords,
  method: 'PUT',
  path: '/V1/returns/:id',
  commits: 'several',
  params: z.object({ id: idParam }),
  body: z.object({ rmaDataObject: rmaPayload }),
  response: rmaAnswer,

  async handle(request) {
    const { em, params, body } = request;
    const now = await readRma(em, params.id);
    const status = wantedStatus(body.rmaDataObject, now.status);
    if (status === undefined) return renderRma(now);
    await moveReturn(request, { rmaId: params.id, status });
    return renderRma(await readRma(em, params.id));
  },
});

/** Deletes a return that nothing came of. See `deleteReturn`. */
const deleteRma = route({
  ...door,
  ...deleteRmaWords,
  method: 'DELETE',
  path: '/V1/returns/:id',
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await deleteReturn(em, id);
    return true as const;
  },
});

/** The register's returns, in the shape that clients of the platform know (platform facts 11). */
export const rmaRoutes: readonly AnyRoute[] = [listRmas, getRma, createRma, updateRma, deleteRma];
