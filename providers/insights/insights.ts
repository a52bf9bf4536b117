import type { Log } from '../log.ts';
import { inTime } from '../in-time.ts';
import { insightSections } from './insight-section.ts';
import { createInsightService, type InsightServiceSettings } from './insight-service.ts';

/** What somebody else knows about a customer, as the profile shows it. */
export interface InsightSection {
  title: string;
  rows: readonly { label: string; value: string }[];
}

export interface InsightQuestion {
  customerId: number;
  /** Nobody waits longer. */
  deadline: Date;
}

/** Adds sections of its own to a customer's insights. It may fail or be slow: then its sections are missing. */
export interface InsightProvider {
  /** A stable word. */
  code: string;
  sections(question: InsightQuestion): Promise<readonly InsightSection[]>;
}

export interface Insights {
  /** The sections of everybody, in order of registration; who throws, is late or answers no sections is left out, and logged. */
  sections(question: InsightQuestion, log: Pick<Log, 'warn'>): Promise<(InsightSection & { provider: string })[]>;
}

/** A service outside, where there is one. */
export const createInsights = ({ service }: { service: InsightServiceSettings | undefined }): Insights =>
  insightsOf(service === undefined ? [] : [createInsightService(service)]);

/** For tests and whoever wires other providers. */
export const insightsOf = (providers: readonly InsightProvider[]): Insights => ({
  async sections(question, log) {
    const asked = providers.map(async (provider) => {
      try {
        // One that throws before it promises anything is no other than one that throws later.
        const said = await inTime(
          Promise.resolve().then(() => provider.sections(question)),
          question.deadline,
        );
        return insightSections.parse(said).map((section) => ({ ...section, provider: provider.code }));
      } catch (error) {
        log.warn({ provider: provider.code, error }, 'a provider of insights was skipped');
        return [];
      }
    });
    return (await Promise.all(asked)).flat();
  },
});
