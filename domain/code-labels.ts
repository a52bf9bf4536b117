export interface CodeLabel {
  code: string;
  label: string;
}

/** Reads a list setting such as `eco_fee:Eco fee,battery:Battery`. A code without a label is its own label. */
export const codeLabels = (text: string): CodeLabel[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [code = '', label = ''] = entry.split(/:(.*)/s);
      return { code: code.trim(), label: label.trim() || code.trim() };
    });
