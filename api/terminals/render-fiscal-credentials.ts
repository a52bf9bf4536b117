import { z } from 'zod';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { fiscalApiKeyPurpose } from '../../db/terminals/licenses.ts';
import type { TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';

/** What a register signs its receipts with; null where its license brings none (spec 2.2, 4.2). */
export const fiscalCredentialsAnswer = z
  .object({ fiscal_tss_id: z.string(), fiscal_api_key: z.string() })
  .nullable()
  .meta({ id: 'FiscalCredentials' });

type Fiscal = Pick<TerminalSetupRow, 'fiscal_tss_id' | 'sealed_fiscal_api_key'>;

export function renderFiscalCredentials(
  { fiscal_tss_id: tssId, sealed_fiscal_api_key: sealed }: Fiscal,
  box: SecretBox,
): z.input<typeof fiscalCredentialsAnswer> {
  if (tssId === null || sealed === null) return null;
  return { fiscal_tss_id: tssId, fiscal_api_key: box.open(sealed, fiscalApiKeyPurpose) };
}
