import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';

export interface ToolOption extends ParseArgsOptionDescriptor {
  /** The text on the page of `--help`. */
  says: string;
  /** The name of its value there. */
  value?: string;
  /** A number, zero or more. */
  isNumber?: boolean;
  oneOf?: readonly string[];
}

export interface Tool<Options extends Record<string, ToolOption>> {
  /** As it is typed. */
  command: string;
  about: string;
  options: Options;
}

type Values<Options extends Record<string, ToolOption>> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/** The request: to run with these values, or to end with this text. */
export type Asking<Options extends Record<string, ToolOption>> =
  | { values: Values<Options> }
  | { says: string; exitCode: 0 | 1 };

/** Reads the options of a tool. `--help` gives its page; an unknown option or an invalid number gives one sentence. */
export function readTool<Options extends Record<string, ToolOption>>(
  tool: Tool<Options>,
  input: readonly string[],
): Asking<Options> {
  if (input.includes('--help') || input.includes('-h')) return { says: pageOf(tool), exitCode: 0 };
  try {
    const { values } = parseArgs({ args: [...input], options: tool.options });
    const fault = Object.entries(tool.options)
      .map(([name, option]) => faultOf(name, option, Object.entries(values).find(([key]) => key === name)?.[1]))
      .find((sentence) => sentence !== undefined);
    return fault === undefined ? { values } : refusal(tool, fault);
  } catch (error) {
    const message = typeof error === 'object' && error && 'message' in error ? String(error.message) : String(error);
    const [sentence = ''] = message.split('. ');
    return refusal(tool, sentence.replaceAll(/\s+/g, ' '));
  }
}

/** The same for the process: ends it where nothing should run. */
export function toolOptions<Options extends Record<string, ToolOption>>(
  tool: Tool<Options>,
  input: readonly string[] = process.argv.slice(2),
): Values<Options> {
  const request = readTool(tool, input);
  if ('values' in request) return request.values;
  (request.exitCode === 0 ? console.log : console.error)(request.says);
  process.exit(request.exitCode);
}

function faultOf(name: string, { isNumber, oneOf }: ToolOption, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isNumber && !/^\d+(\.\d+)?$/.test(value)) return `--${name} is "${value}", but a number is wanted`;
  if (oneOf && !oneOf.includes(value)) return `--${name} is "${value}", but one of ${oneOf.join(', ')} is wanted`;
  return undefined;
}

const refusal = ({ command }: { command: string }, sentence: string) =>
  ({ says: `${sentence}; ${command} --help lists the options.`, exitCode: 1 }) as const;

function pageOf({ command, about, options }: Tool<Record<string, ToolOption>>): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const value = option.type === 'boolean' ? '' : ` ${option.value ?? (option.isNumber ? 'N' : 'TEXT')}`;
    const unset = option.default === undefined || option.default === '' || option.default === false;
    return [`  --${name}${value}`, unset ? option.says : `${option.says} (${String(option.default)})`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.map(([left, right]) => `${left.padEnd(width)}${right}`);
  return [`Usage: ${command} [options]`, '', about, '', ...lines].join('\n').trimEnd();
}
