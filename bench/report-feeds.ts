import type { FeedsMeasured } from './measure-feeds.ts';

const times = (own: number, bare: number) => (own / bare).toFixed(2);

/** Feeds and insights, each beside its baseline. */
export const reportFeeds = ({ reindex, feed, insights }: FeedsMeasured): string =>
  [
    '',
    '| Feeds and insights | ours | bare | times |',
    '|---|---|---|---|',
    `| full reindex, ${reindex.rows} prices, rows a second | ${reindex.perSecond} | ${reindex.barePerSecond} | ${times(reindex.barePerSecond, reindex.perSecond)} |`,
    `| price feed of ${feed.rows} rows, ms | ${feed.ms.toFixed(0)} | ${feed.bareMs.toFixed(0)} | ${times(feed.ms, feed.bareMs)} |`,
    `| insights of ${insights.orders} orders, ms | ${insights.ms.toFixed(1)} | ${insights.bareMs.toFixed(1)} | ${times(insights.ms, insights.bareMs)} |`,
    `The API grew by ${feed.grownMiB.toFixed(0)} MiB while it sent the feed.`,
  ].join('\n');
