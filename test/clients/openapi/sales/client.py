"""A sale by the client of openapi-python-client."""
import json, os, sys, uuid

from pos_client import AuthenticatedClient
from pos_client.api.sell import get_order, invoice_order, place_order, ship_order
from pos_client.models import InvoiceOrderRequest, PlaceOrderRequest, ShipOrderRequest

client = AuthenticatedClient(base_url=os.environ["CLIENT_URL"], token=os.environ["CLIENT_TOKEN"], raise_on_unexpected_status=True)
with open(os.environ["CLIENT_SALE"]) as file:
    sale = json.load(file)
sale["entity"]["extension_attributes"]["pos_sale_id"] = str(uuid.uuid4())

order = place_order.sync(client=client, body=PlaceOrderRequest.from_dict(sale))
invoice_order.sync(order.entity_id, client=client, body=InvoiceOrderRequest(capture=True))
ship_order.sync(order.entity_id, client=client, body=ShipOrderRequest())
sold = get_order.sync(order.entity_id, client=client)
is_sold = sold.status == "complete" and sold.total_paid == sold.grand_total > 0
print(f"{'  ok   ' if is_sold else '  FAIL '}openapi-python-client: order {sold.status}, {sold.total_paid} of {sold.grand_total} paid")
sys.exit(0 if is_sold else 1)
