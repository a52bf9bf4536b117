import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { sourceErrors } from '../../../domain/platform/source-errors.ts';
import { recordInvalid } from '../../../domain/platform/source-item-errors.ts';
import { given } from '../../support/given.ts';
import { transact } from '../../support/transact.ts';
import { Source } from './source.entity.ts';

/** What a caller says of a source; what is left out stays as it is. */
export type SourceChange = { sourceCode: string } & {
  [Key in Exclude<keyof Source, 'sourceCode' | symbol>]?: Source[Key] | undefined;
};

/** Where single-source shops keep everything: it always sells. */
const defaultSource = 'default';

/**
 * Opens a place that holds goods, or changes one (platform facts 10). A repeat changes nothing.
 *
 * Refused with: 400 no code, name, postcode or country, all told at once · 400 the default source switched off.
 */
export const saveSource = (em: EntityManager, change: SourceChange): Promise<void> =>
  transact(em, async (tx) => {
    const { sourceCode, ...sent } = change;
    const known = await tx.findOne(Source, { sourceCode }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const errors = sourceErrors({ ...known, ...given(change) });
    if (errors.length > 0) throw recordInvalid(errors);
    if (sourceCode === defaultSource && sent.isEnabled === false) throw invalid('Default source can not be disabled.');
    // A new one that two open at once is there once, as the later one says.
    if (known) Object.assign(known, given(sent));
    else await tx.upsert(Source, given(change));
    await tx.flush();
  });
