/** Content that could not be rendered with a block as it is now. */
export interface RenewalFailure {
  contentId: number;
  refusal: string;
}

/** How far what a block is part of has been rendered anew; JSON-safe. */
export interface FollowedRenewal {
  renewalId: number;
  places: number;
  /** So many show the block as it is now. */
  rendered: number;
  failed: number;
  /** The first of those that failed. */
  failures: readonly RenewalFailure[];
  isDone: boolean;
}
