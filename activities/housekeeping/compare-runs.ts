import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { WorkflowNotFoundError } from '@temporalio/common';
import { countFollowedLayaways, findFollowedLayaways, unfollowLayaways } from '../../db/layaways/find-unfollowed.ts';
import { countFollowed, findFollowed, unfollow, type IdPage } from '../../db/returns/followed.ts';
import { layawayId } from '../../workflows/layaways/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import { refreshSignal } from './lives.ts';
import { forEach, tell, withDeadline, type ContextWake } from './wake.ts';

export interface Compared {
  /** Records whose rows said that a workflow follows them, and none did. */
  lost: number;
  /** Workflows whose record is over, which were told. */
  left: number;
}

/** A kind of record that has its workflow for as long as it is open. */
interface Kind {
  workflow: string;
  idOf: (id: number) => string;
  /** Of its workflows: the record's id. */
  attribute: { name: string };
  /** Which of its workflows have such a record; absent: all. */
  only?: string;
  countFollowed: (em: EntityManager) => Promise<number>;
  findFollowed: (em: EntityManager, page: IdPage) => Promise<number[]>;
  unfollow: (em: EntityManager, ids: readonly number[]) => Promise<number>;
}

const kinds: readonly Kind[] = [
  { workflow: 'returnWorkflow', idOf: returnId, attribute: posReturnId, countFollowed, findFollowed, unfollow },
  {
    workflow: 'layawayWorkflow',
    idOf: layawayId,
    attribute: posOrderId,
    // One that is paid waits for its settling, and loses nothing without a workflow.
    only: `PosStatus IN ('open', 'stale')`,
    countFollowed: countFollowedLayaways,
    findFollowed: findFollowedLayaways,
    unfollow: unfollowLayaways,
  },
];

/** Records of one range of ids. */
const perRange = 1_000;
/** A million records of one kind. */
const mostRanges = 1_000;

/**
 * A listed workflow may have ended long ago: about one in a hundred entries of Temporal's list is never corrected. So
 * many listed workflows of each kind are asked for themselves, each day other ones.
 */
const maxAsked = 5_000;

/**
 * Each day: compares the open records that say a workflow follows them with the workflows that run, range by range and
 * id by id. Counts decide nothing: a workflow that is lost and one whose record is over make the counts equal.
 *
 * Temporal's list lags behind, so it decides nothing either: a workflow counts as lost only where Temporal itself says
 * that none of its id runs. That is also how a new Temporal is noticed: it runs nothing.
 */
export async function compareRuns({ em, ...context }: ContextWake & { em: EntityManager }): Promise<Compared> {
  const compared: Compared = { lost: 0, left: 0 };
  for (const kind of kinds) {
    const share = Math.min(1, maxAsked / Math.max(1, await kind.countFollowed(em)));
    let after = 0;
    for (let range = 0; range < mostRanges; range++) {
      const ids = await kind.findFollowed(em, { after, limit: perRange });
      const upTo = ids.length < perRange ? undefined : ids.at(-1);
      await compareRange(em, { kind, around: context, ids, after, upTo, share, compared });
      if (upTo === undefined) break;
      after = upTo;
    }
  }
  return compared;
}

interface Range {
  kind: Kind;
  around: ContextWake;
  ids: readonly number[];
  after: number;
  /** Undefined: the last range, without an end. */
  upTo: number | undefined;
  /** Of the listed workflows, that are asked whether they run. */
  share: number;
  compared: Compared;
}

async function compareRange(em: EntityManager, range: Range): Promise<void> {
  const { kind, around, ids, share, compared } = range;
  const { temporal } = around;
  const running = await listRuns(kind, around, range);
  const followed = new Set(ids.map(kind.idOf));
  const silent = ids.filter((id) => !running.has(kind.idOf(id)) || randomInt(1_000_000) < share * 1_000_000);
  const request = await forEach(silent, async (id) => ((await isRunning(around, kind.idOf(id))) ? [] : [id]));
  compared.lost += await kind.unfollow(em, request.answers.flat());
  // A workflow reads its row, and ends where that is over.
  const left = [...running].filter((id) => !followed.has(id));
  const notified = await forEach(left, (id) => tell(temporal, id, refreshSignal));
  compared.left += notified.answers.filter(Boolean).length;
  const [fault] = [...request.faults, ...notified.faults];
  if (fault !== undefined) throw fault;
}

/** Ids of the workflows that are listed as running. */
async function listRuns(
  { workflow, attribute, only }: Kind,
  { temporal, taskQueue }: ContextWake,
  { after, upTo }: Pick<Range, 'after' | 'upTo'>,
): Promise<Set<string>> {
  const query = [
    `WorkflowType = '${workflow}' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`,
    ...(only === undefined ? [] : [only]),
    `${attribute.name} > ${after}`,
    ...(upTo === undefined ? [] : [`${attribute.name} <= ${upTo}`]),
  ].join(' AND ');
  const found = new Set<string>();
  // Twice the records: more would not be runs of these.
  for await (const { workflowId } of temporal.workflow.list({ query, pageSize: 500 })) {
    found.add(workflowId);
    if (found.size >= 2 * perRange) break;
  }
  return found;
}

async function isRunning({ temporal }: ContextWake, workflowId: string): Promise<boolean> {
  try {
    const { status } = await withDeadline(temporal, () => temporal.workflow.getHandle(workflowId).describe());
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
