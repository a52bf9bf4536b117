import type { Log } from '../log.ts';
import { inTime } from '../in-time.ts';
import { insightSections } from './insight-section.ts';
import { createInsightService, type InsightServiceSettings } from './insight-service.ts';
import type { InsightSection, InsightQuestion, InsightProvider } from './insight-provider.ts';

export interface Insights {
  /**
   * The sections of all providers, in order of registration. A provider that throws, is late or answers something
   * else is left out and logged.
   */
  sections(question: InsightQuestion, log: Pick<Log, 'warn'>): Promise<(InsightSection & { provider: string })[]>;
}

/** An outside service, where there is one. */
export const createInsights = ({ service }: { service: InsightServiceSettings | undefined }): Insights =>
  insightsOf(service === undefined ? [] : [createInsightService(service)]);

/** For tests and for other providers. */
export const insightsOf = (providers: readonly InsightProvider[]): Insights => ({
  async sections(question, log) {
    const asked = providers.map(async (provider) => {
      try {
        // A synchronous throw is treated like a rejected promise.
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
