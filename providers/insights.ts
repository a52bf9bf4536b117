import { z } from 'zod';
import { inTime } from './in-time.ts';
import type { Log } from './log.ts';
import { postJson } from './post-json.ts';

/** A provider's facts about a customer, as the profile shows them. */
export interface InsightSection {
  title: string;
  rows: readonly { label: string; value: string }[];
}

/** Whose facts are asked for. */
interface InsightQuestion {
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

/** The most sections of one provider: a profile is one screen. */
const mostSections = 10;
const mostRows = 20;

/** A provider's facts about a customer, limited to one screen; anything else is refused. */
const insightSections = z
  .array(
    z.object({
      title: z.string().min(1).max(200),
      rows: z.array(z.object({ label: z.string().max(200), value: z.string().max(1_000) })).max(mostRows),
    }),
  )
  .max(mostSections);

interface InsightServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
}

const longestAnswer = 64 * 1024;

const answer = z.object({ sections: insightSections });

/**
 * An outside service with facts about customers: `POST /customer-insights` with `customer_id` answers `{sections:
 * [{title, rows: [{label, value}]}]}`. It throws for any other answer.
 */
const createInsightService = ({ baseUrl, apiKey }: InsightServiceSettings): InsightProvider => ({
  code: 'service',
  async sections({ customerId, deadline }) {
    const answered = await postJson({
      baseUrl,
      path: '/customer-insights',
      apiKey,
      body: { customer_id: customerId },
      timeoutMs: deadline.getTime() - Date.now(),
      longestAnswer,
    });
    if ('failure' in answered) throw new Error(`the service ${answered.failure}`);
    if (answered.status !== 200) throw new Error(`the service answered ${answered.status}`);
    return answer.parse(answered.body).sections;
  },
});

export interface Insights {
  /**
   * The sections of all providers, in order of registration. A provider that throws, is late or answers something
   * else is left out and logged.
   */
  sections(question: InsightQuestion, log: Pick<Log, 'warn'>): Promise<(InsightSection & { provider: string })[]>;
}

interface InsightParts {
  service: InsightServiceSettings | undefined;
  /** Of extensions. */
  others?: readonly InsightProvider[];
}

/** An outside service, where there is one, and those of extensions. */
export const createInsights = ({ service, others = [] }: InsightParts): Insights =>
  insightsOf([...(service === undefined ? [] : [createInsightService(service)]), ...others]);

/** For tests and for other providers. */
export const insightsOf = (providers: readonly InsightProvider[]): Insights => ({
  async sections(question, log) {
    const request = providers.map(async (provider) => {
      try {
        // A synchronous throw is treated like a rejected promise.
        const reply = await inTime(
          Promise.resolve().then(() => provider.sections(question)),
          question.deadline,
        );
        return insightSections.parse(reply).map((section) => ({ ...section, provider: provider.code }));
      } catch (error) {
        log.warn({ provider: provider.code, error }, 'a provider of insights was skipped');
        return [];
      }
    });
    return (await Promise.all(request)).flat();
  },
});
