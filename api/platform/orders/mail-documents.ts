import { mailDocumentRoute, type MailDocument } from '../../http/mail-document-route.ts';

/** The four routes that send a document of an order to its customer. */
export const mailRoutes = (mailDocument: MailDocument) => [
  mailDocumentRoute({
    name: 'emailOrder',
    path: '/V1/orders/:id/emails',
    acl: 'Platform_Sales::emails',
    summary: 'Send an order to its customer',
    document: 'order',
    mailDocument,
  }),
  mailDocumentRoute({
    name: 'emailInvoice',
    path: '/V1/invoices/:id/emails',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Send an invoice to its customer',
    document: 'invoice',
    mailDocument,
  }),
  mailDocumentRoute({
    name: 'emailShipment',
    path: '/V1/shipment/:id/emails',
    acl: 'Platform_Sales::shipment',
    summary: 'Send a shipment to its customer',
    document: 'shipment',
    mailDocument,
  }),
  mailDocumentRoute({
    name: 'emailCreditMemo',
    path: '/V1/creditmemo/:id/emails',
    acl: 'Platform_Sales::sales_creditmemo',
    summary: 'Send a credit memo to its customer',
    document: 'creditmemo',
    mailDocument,
  }),
];
