import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../../domain/errors.ts';
import { sourceErrors } from '../../../domain/platform/source-errors.ts';
import { recordInvalid } from '../../../domain/platform/source-item-errors.ts';
import { given } from '../../support/given.ts';
import { recordReads } from '../../support/records.ts';
import { everyField } from '../../support/search-fields.ts';
import { transact } from '../../support/transact.ts';
import { Source } from './source.entity.ts';

/** The fields of a source that a caller sends; an absent field keeps its value. */
export type SourceChange = { sourceCode: string } & {
  [Key in Exclude<keyof Source, 'sourceCode' | symbol>]?: Source[Key] | undefined;
};

/** The source of single-source shops: it cannot be disabled. */
const defaultSource = 'default';

const { is_enabled: enabled, ...fields } = everyField(
  Source,
  ...([
    'latitudeMicrodegrees',
    'longitudeMicrodegrees',
    'carrierLinks',
    'frontendName',
    'frontendDescription',
  ] as const),
);

/** The stock sources of a shop, by their codes (platform facts 10). */
export const sources = recordReads<Source, string>({
  entity: Source,
  key: 'sourceCode',
  fields: {
    ...fields,
    ...(enabled ? { enabled } : {}),
    latitude: { column: '(latitude_microdegrees / 1e6)', type: 'decimal', isNullable: true },
    longitude: { column: '(longitude_microdegrees / 1e6)', type: 'decimal', isNullable: true },
  },
  unknown: (sourceCode) => notFound('Source with code "%value" does not exist.', { value: sourceCode }),
});

/**
 * Creates or changes a stock source (platform facts 10). A repeat changes nothing.
 *
 * Refused with: 400 no code, name, postcode or country, all reported at once · 400 disabling the default source.
 */
export const saveSource = (em: EntityManager, change: SourceChange): Promise<void> =>
  transact(em, async (tx) => {
    const { sourceCode, ...sent } = change;
    const known = await tx.findOne(Source, { sourceCode }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const errors = sourceErrors({ ...known, ...given(change) });
    if (errors.length > 0) throw recordInvalid(errors);
    if (sourceCode === defaultSource && sent.isEnabled === false) throw invalid('Default source can not be disabled.');
    // Of two concurrent creates one row remains, with the later values.
    if (known) tx.assign(known, given(sent));
    else await tx.upsert(Source, given(change));
    await tx.flush();
  });
