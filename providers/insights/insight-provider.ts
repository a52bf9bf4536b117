/** A provider's facts about a customer, as the profile shows them. */
export interface InsightSection {
  title: string;
  rows: readonly { label: string; value: string }[];
}

/** Whose facts are asked for. */
export interface InsightQuestion {
  customerId: number;
  /** A later answer is ignored. */
  deadline: Date;
}

/** Adds sections to a customer's insights. When it fails or is slow, its sections are missing. */
export interface InsightProvider {
  /** A stable code. */
  code: string;
  sections(question: InsightQuestion): Promise<readonly InsightSection[]>;
}
