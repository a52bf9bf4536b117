/** A place has one rate for each class of goods, so these name it: `US-NY class 2`. */
export const taxRateName = ({
  countryId,
  region,
  taxClassId,
}: {
  countryId: string;
  region: string | null;
  taxClassId: number;
}) => `${region === null ? countryId : `${countryId}-${region}`} class ${taxClassId}`;
