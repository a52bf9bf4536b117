import { readFileSync } from 'node:fs';
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { layers } from './sources.ts';

/** The rules of who may import whom, and how imports are found. `npx depcruise` reads the same file. */
export const rules: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions } = JSON.parse(
  readFileSync('.dependency-cruiser.json', 'utf8'),
);

export interface Import {
  /** The importing file. */
  from: string;
  /** A path inside the project, or a package's name. */
  to: string;
  isRelative: boolean;
  isTypeOnly: boolean;
}

/**
 * Every import of these folders, and those that a rule forbids, one line each.
 *
 * @param baseDir where the folders are; absent: the project
 */
export async function importsOf(
  folders: readonly string[] = layers,
  baseDir = process.cwd(),
): Promise<{ imports: Import[]; forbidden: { rule: string; from: string; line: string }[] }> {
  const { output } = await cruise([...folders], { ...rules.options, baseDir, validate: true, ruleSet: rules });
  const { modules, summary } = output as ICruiseResult;
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ module, resolved, dependencyTypes }) => {
      const isRelative = module.startsWith('.');
      const isTypeOnly = dependencyTypes.includes('type-only');
      return { from: source, to: isRelative ? resolved : module, isRelative, isTypeOnly };
    }),
  );
  const forbidden = summary.violations.map(({ rule, from, to }) => ({
    rule: rule.name,
    from,
    line: `${rule.name}: ${from} imports ${to}`,
  }));
  return { imports, forbidden };
}
