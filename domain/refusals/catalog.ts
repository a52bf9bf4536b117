/** What products, attributes, categories and prices are refused with. */
import { PosError } from '../errors.ts';
import { refusal } from './refusal.ts';

export const entityTypeNotValid = refusal(400, 'Invalid entity_type specified: %1', {
  when: '`entityTypeCode` is another one, or none of the platform.',
});

export const skeletonSetMissing = refusal(
  400,
  "The attribute set couldn't be created because it's based on a non-existing attribute set.",
  { when: 'There is no set of the id `skeletonId`.' },
);

export const skeletonSetNotOfProducts = refusal(
  400,
  "The attribute set couldn't be created because it's based on a non-product attribute set.",
  { when: '`skeletonId` is the set of other records, such as customers.' },
);

export const linkedEntityMissing = refusal(
  404,
  `The "%1" entity that was requested doesn't exist. Verify the entity and try again.`,
  { when: 'The product has no such option.' },
);

export const productSkuEmpty = refusal(400, 'The ProductSku is empty. Set the ProductSku and try again.', {
  when: 'The product is not named.',
});

export const imageNameForbidden = refusal(400, 'Provided image name contains forbidden characters.', {
  when: 'The name has one of `\\ / ? * : " ; < > ( ) | { }`.',
});

export const imageTypeNotSupported = refusal(400, 'The image MIME type is not valid or not supported.', {
  when: '`type` is not what the picture is.',
});

export const noSuchRequestName = refusal(400, "Request name '%1' doesn't exist.", {
  when: '`request_name` is none of the three.',
});

export const optionOfAttributeMissing = refusal(400, "The '%1' attribute doesn't include an option id '%2'.");

/** Thrown while arguments are converted: the platform answers the text filled in, and no parameters. */
export const attributeValueNotValid = (code: string) =>
  new PosError({ status: 400, message: `Attribute "${code}" has invalid value.` });

/** As its routes list it. */
export const attributeValueRefused = {
  status: 400,
  message: 'Attribute "…" has invalid value.',
  when:
    'A value is none of its attribute: no day such as `2030-12-31`, no yes or no, no option, no country, no number ' +
    'of a scanner.',
} as const;

export const attributeGroupNotSaved = refusal(400, "The attributeGroup can't be saved.");

export const attributeGroupNotFound = refusal(
  404,
  `The group with the "%1" ID doesn't exist. Verify the ID and try again.`,
);

export const attributeValueEmpty = refusal(400, 'The "%1" attribute value is empty. Set the attribute and try again.', {
  when: 'A new product without name or price, or one that gets no value where its attribute set demands one.',
});

export const productHasOption = refusal(400, 'Product already has this option', {
  when: 'The attribute is an option already.',
});

export const childLacksValue = refusal(
  400,
  `The child product doesn't have the "%1" attribute value. Verify the value and try again.`,
  { when: 'Its value of an option is missing.' },
);

export const parentHasNoOptions = refusal(400, "The parent product doesn't have configurable product options.", {
  when: 'There is nothing to choose by.',
});

export const productAlreadyAttached = refusal(400, 'The product is already attached.', {
  when: 'It is one of the children.',
});

export const productNotConfigurable = refusal(400, `The product with the "%1" SKU isn't a configurable product.`, {
  when: 'The parent has another type.',
});

export const onlyForConfigurable = refusal(400, 'This is implemented for the "%1" configurable product only.', {
  when: 'The product has another type.',
});

export const optionIdNotFound = refusal(404, 'Option with id "%1" not found', {
  when: 'The product has no such option.',
});

export const requestedOptionMissing = refusal(
  404,
  "The option that was requested doesn't exist. Verify the entity and try again.",
  { when: 'The product has no such option, or no such child.' },
);

export const dataNotValid = refusal(400, 'The data was invalid. Verify the data and try again.', {
  when: 'Price or quantity are not above zero.',
});

export const noSuchGroupPrice = refusal(
  404,
  "Product hasn't group price with such data: customerGroupId = '%1', website = %2, qty = %3",
  { when: 'The product has no such price.' },
);

export const linkedProductMissing = refusal(404, "Product %1 doesn't have linked %2 as %3", {
  when: 'There is no such link.',
});

export const linkTypeUnknown = refusal(404, 'The "%1" link type is unknown. Verify the type and try again.', {
  when: 'There is no such type of links.',
});

export const imageContentNotValid = refusal(400, 'The image content is invalid. Verify the content and try again.', {
  when: 'A new entry has no `content`.',
});

export const websitesNotAssigned = refusal(400, 'Could not assign product "%1" to websites "%2"', {
  when: 'There is no such website.',
});

export const noWebsitesToAssign = refusal(400, 'There are not websites for assign to product', {
  when: 'No website is named.',
});

export const productNotRemoved = refusal(400, `The "%1" product couldn't be removed.`, {
  when: 'An order that has not left the shop waits for it.',
  then: 'Ship, cancel or refund it first.',
});

export const requestedProductMissing = refusal(
  404,
  "The product that was requested doesn't exist. Verify the product and try again.",
);

export const countryStatesNotUnique = refusal(
  400,
  'Set unique country-state combinations within the same fixed product tax. Verify the combinations and try again.',
  { when: 'A fixed product tax names a place of a website twice.' },
);

export const attributeCodeNotFound = refusal(
  404,
  `The attribute with a "%1" attributeCode doesn't exist. Verify the attribute and try again.`,
  { when: 'An option names an unknown attribute.' },
);

export const requestedProductsMissing = refusal(404, "Requested products don't exist: %sku");

export const categoryNotDeletable = refusal(400, 'Cannot delete category with id %1', {
  when: 'It is the root, or what a shop shows.',
});

export const categoryNotMoved = refusal(400, 'Could not move category', {
  when: 'The tree would be deeper than 20 levels, or a child of the new parent has its URL key.',
});

export const categoryNotSaved = refusal(400, 'Could not save category: %1', {
  when: 'It has no name, or a sibling has its URL key.',
});

export const categoryIntoItsChild = refusal(
  400,
  'Operation do not allow to move a parent category to any of children category',
  { when: 'The new parent is the category itself or below it, or it is the root.' },
);

export const productNotInCategory = refusal(400, "The category doesn't contain the specified product.", {
  when: 'It is not in it; so is the answer to a repeat.',
});

export const optionTypeNotFound = refusal(404, `The "%1" link type wasn't found. Verify the type and try again.`, {
  when: 'A link names a type that does not exist.',
});

export const someOptionsNotAvailable = refusal(400, 'Some of the selected item options are not currently available.');

export const productHasRequiredOptions = refusal(
  400,
  'The product has required options. Enter the options and try again.',
  { when: 'A custom option must be entered since the line was put into the cart.', then: 'Change the line.' },
);

export const groupPriceNotPositive = refusal(400, 'Group price must be a number greater than 0.', {
  when: 'A tier price is missing or below zero.',
});

export const percentageOutOfRange = refusal(400, 'Percentage value must be a number between 0 and 100.', {
  when: 'A tier takes off less than nothing or more than all.',
});

export const tierPriceDuplicate = refusal(
  400,
  'We found a duplicate website, tier price, customer group and quantity.',
  { when: 'Two tier prices are for the same website, group and quantity.' },
);

export const customerPricesUnknown = refusal(
  503,
  'The prices of this customer cannot be told now. Try again in a moment.',
  {
    when: 'the service that keeps contract prices does not answer',
    then: 'Ask again; meanwhile show the catalog’s price as not confirmed.',
  },
);
