import { z } from 'zod';
import { postJson } from '../post-json.ts';
import { insightSections } from './insight-section.ts';
import type { InsightProvider } from './insight-provider.ts';

export interface InsightServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
}

const longestAnswer = 64 * 1024;

const answer = z.object({ sections: insightSections });

/**
 * An outside service with facts about customers: `POST /customer-insights` with `customer_id` answers `{sections:
 * [{title, rows: [{label, value}]}]}`. It throws for any other answer.
 */
export const createInsightService = ({ baseUrl, apiKey }: InsightServiceSettings): InsightProvider => ({
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
