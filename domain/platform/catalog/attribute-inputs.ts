/** How the values of an attribute are typed in, by the platform's names (platform facts 9.1). */
export interface AttributeInput {
  value: string;
  label: string;
  /** The kind of its column on the platform. */
  backend: string;
}

const input = (value: string, label: string, backend: string): AttributeInput => ({ value, label, backend });

/** Swatches are missing: no page of the shop draws them. */
export const attributeInputs: readonly AttributeInput[] = [
  input('text', 'Text Field', 'varchar'),
  input('textarea', 'Text Area', 'text'),
  input('texteditor', 'Text Editor', 'text'),
  input('date', 'Date', 'datetime'),
  input('datetime', 'Date and Time', 'datetime'),
  input('boolean', 'Yes/No', 'int'),
  input('multiselect', 'Multiple Select', 'text'),
  input('select', 'Dropdown', 'int'),
  input('price', 'Price', 'decimal'),
  input('media_image', 'Media Image', 'varchar'),
  input('weee', 'Fixed Product Tax', 'static'),
];

const backends = new Map(attributeInputs.map(({ value, backend }) => [value, backend]));

export const isAttributeInput = (value: string): boolean => backends.has(value);

export const backendOf = (value: string): string => backends.get(value) ?? 'varchar';

/** Whether its values are the ids of options. */
export const hasOptions = (value: string): boolean => value === 'select' || value === 'multiselect';
