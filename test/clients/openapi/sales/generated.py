"""A sale by the client of openapi-generator, python."""
import json, os, sys, uuid

from openapi_client import ApiClient, Configuration, InvoiceOrderRequest, PlaceOrderRequest, SellApi, ShipOrderRequest

api = SellApi(ApiClient(Configuration(host=os.environ["CLIENT_URL"], access_token=os.environ["CLIENT_TOKEN"])))
with open(os.environ["CLIENT_SALE"]) as file:
    sale = json.load(file)
sale["entity"]["extension_attributes"]["pos_sale_id"] = str(uuid.uuid4())

order = api.place_order(PlaceOrderRequest.from_dict(sale))
api.invoice_order(order.entity_id, InvoiceOrderRequest(capture=True))
api.ship_order(order.entity_id, ShipOrderRequest())
sold = api.get_order(order.entity_id)
is_sold = sold.status == "complete" and sold.total_paid == sold.grand_total > 0
print(f"{'  ok   ' if is_sold else '  FAIL '}openapi-generator, python: order {sold.status}, {sold.total_paid} of {sold.grand_total} paid")
sys.exit(0 if is_sold else 1)
