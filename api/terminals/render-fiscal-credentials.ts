import { z } from 'zod';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { fiscalApiKeyPurpose } from '../../db/terminals/grant-license.ts';
import type { TerminalSetupRow } from '../../db/terminals/terminal.repository.ts';

/** The credentials with which a register signs receipts; null where its license has none (spec 2.2, 4.2). */
export const fiscalCredentialsAnswer = z.object({ fiscal_tss_id: z.string(), fiscal_api_key: z.string() }).nullable();

type Fiscal = Pick<TerminalSetupRow, 'fiscal_tss_id' | 'sealed_fiscal_api_key'>;

export function renderFiscalCredentials(
  { fiscal_tss_id: tssId, sealed_fiscal_api_key: sealed }: Fiscal,
  box: SecretBox,
): z.input<typeof fiscalCredentialsAnswer> {
  if (tssId === null || sealed === null) return null;
  return { fiscal_tss_id: tssId, fiscal_api_key: box.open(sealed, fiscalApiKeyPurpose) };
}
