import { createHash } from 'node:crypto';
import { moduleVersion } from '../../domain/configuration/module-version.ts';

/**
 * What a register compares to know that its configuration changed (spec 6.3): made of the counters that triggers keep,
 * so it costs the same however much there is to configure. A new release changes it too, for its new keys.
 */
export const configHash = (versions: string) =>
  createHash('sha256').update(`${moduleVersion} ${versions}`).digest('hex').slice(0, 32);

/**
 * SQL for the counters a terminal sees: the shop's, its website's, its location's and its own; `1` where nothing changed
 * yet.
 *
 * @param of column expressions of the statement it stands in
 */
export const configVersionsSql = (of: { websiteId: string; locationId: string; terminalId: string }) => `
  concat_ws('.',
    coalesce((select version from pos_config_version where scope = 'global' and scope_id = 0), 1),
    ${of.websiteId}, coalesce((select version from pos_config_version where scope = 'website' and scope_id = ${of.websiteId}), 1),
    ${of.locationId}, coalesce((select version from pos_config_version where scope = 'location' and scope_id = ${of.locationId}), 1),
    coalesce((select version from pos_config_version where scope = 'terminal' and scope_id = ${of.terminalId}), 1))`;
