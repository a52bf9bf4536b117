/** Content that could not be rendered with the present text of a block. */
export interface RenewalFailure {
  contentId: number;
  refusal: string;
}

/** Progress of rendering all content that contains a changed block; JSON-safe. */
export interface FollowedRenewal {
  renewalId: number;
  places: number;
  /** How many show the block's present text. */
  rendered: number;
  failed: number;
  /** The first failures; more are only counted. */
  failures: readonly RenewalFailure[];
  isDone: boolean;
}
