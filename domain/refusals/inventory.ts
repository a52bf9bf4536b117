/** What sources and stocks are refused with. */
import { refusal } from './refusal.ts';

export const inputIsEmpty = refusal(400, 'Input data is empty', { when: 'The list has no row.' });

export const quantityNotCheckable = refusal(
  400,
  "Can't check requested quantity for products without Source Items support.",
  { when: 'The product is sold as its parts.' },
);

export const sourceItemNotSaved = refusal(400, 'Could not save Source Item', { when: 'A source does not exist.' });

export const quantityNotAvailable = refusal(400, 'Not all of your products are available in the requested quantity.');

export const stockNotDeleted = refusal(400, 'Could not delete Stock', { when: 'It promised goods to orders once.' });

export const stockSourceLinksNotSaved = refusal(400, 'Could not save StockSourceLinks', {
  when: 'A stock or source is unknown.',
});

export const defaultStockNotDeletable = refusal(400, 'Default Stock could not be deleted.', {
  when: 'It is the stock 1.',
});

export const defaultSourceNotDisabled = refusal(400, 'Default source can not be disabled.', {
  when: 'The source `default` would be switched off.',
});

export const stockHasSalesChannel = refusal(400, 'Stock has at least one sale channel and could not be deleted.', {
  when: 'A website still sells from it.',
  then: 'Give the website to another stock first.',
});

export const noLinkedStock = refusal(404, 'No linked stock found', {
  when: 'No website has this code, or the type is another.',
});

export const sourceNotFound = refusal(404, 'Source with code "%value" does not exist.', {
  when: 'No source has this code.',
});

export const stockNotFound = refusal(404, 'Stock with id "%value" does not exist.', { when: 'No stock has this id.' });
