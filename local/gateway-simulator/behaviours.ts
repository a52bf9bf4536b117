import type { Outcome } from './cents.ts';

/** How the answer to a refund is sent. */
export type Manner = 'prompt' | 'slow' | 'dropped' | 'silent' | 'error' | 'garbage';

/** What look-ups answer about a refund that did arrive. */
export type Memory = 'truth' | 'pending_twice' | 'no_once' | 'unavailable';

export interface Behaviour {
  /** `lost`: the call never reached the part that acts, so it is not recorded. */
  acts: 'refunds' | 'declines' | 'lost';
  manner: Manner;
  memory: Memory;
}

/** Every outcome is three independent facts: what is done, what is answered, what a look-up answers. */
export const behaviours: Record<Outcome, Behaviour> = {
  approved: { acts: 'refunds', manner: 'prompt', memory: 'truth' },
  declined: { acts: 'declines', manner: 'prompt', memory: 'truth' },
  declined_answer_lost: { acts: 'declines', manner: 'dropped', memory: 'truth' },
  refunded_answer_lost: { acts: 'refunds', manner: 'dropped', memory: 'truth' },
  timeout_after_acting: { acts: 'refunds', manner: 'silent', memory: 'truth' },
  timeout_without_acting: { acts: 'lost', manner: 'silent', memory: 'truth' },
  error_after_acting: { acts: 'refunds', manner: 'error', memory: 'truth' },
  garbage: { acts: 'refunds', manner: 'garbage', memory: 'truth' },
  lookup_pending_then_refunded: { acts: 'refunds', manner: 'dropped', memory: 'pending_twice' },
  lookup_no_then_refunded: { acts: 'refunds', manner: 'dropped', memory: 'no_once' },
  lookup_unavailable: { acts: 'refunds', manner: 'dropped', memory: 'unavailable' },
  slow_success: { acts: 'refunds', manner: 'slow', memory: 'truth' },
};
