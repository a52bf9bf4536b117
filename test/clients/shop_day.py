"""A day of an integrator in Python: PyMagento, unchanged, with a bearer token."""

import json
import os
import sys
import time

from magento import Magento

client = Magento(token=os.environ["CLIENT_TOKEN"], base_url=os.environ["CLIENT_URL"])
sale = json.loads(os.environ["CLIENT_SALE"])["entity"]


def told(what, holds=True):
    print(("  ok   " if holds else "  FAIL ") + what, flush=True)
    if not holds:
        sys.exit(1)


told("websites, store views and store configs", len(client.get_websites()) > 1 and len(client.get_store_views()) > 1)
told("products, a page at a time", len(list(client.get_products(limit=120))) == 120)
told("one product", client.get_product("MUG-WHITE")["sku"] == "MUG-WHITE")
told("a product that is not there is none", client.get_product("NO-SUCH-PRODUCT") is None)
told("sources and what lies there", len(list(client.get_sources())) > 1 and len(list(client.get_source_items(sku="MUG-WHITE"))) > 0)
told("customers and their groups", len(list(client.get_customers(limit=3))) == 3 and len(list(client.get_customer_groups())) == 4)
told("orders", len(client.get_last_orders(3)) == 3)

told("a product is saved", client.save_product({"sku": "PY-1", "name": "Python", "price": 3, "attribute_set_id": 4})["id"] > 0)
bulk = client.async_update_products([{"sku": "PY-1", "price": 4}, {"sku": "PY-1", "weight": 1}])
told("a bulk is accepted", len(bulk["request_items"]) == 2 and not bulk["errors"])
for _ in range(300):
    if client.get_bulk_operation_status_count(bulk["bulk_uuid"], 4) == 0:
        break
    time.sleep(0.2)
status = client.get_bulk_status(bulk["bulk_uuid"])
told("the bulk is carried out", [one["status"] for one in status["operations_list"]] == [1, 1])
told("what it changed is there", float(client.get_product("PY-1")["price"]) == 4)
told("a product is deleted", client.delete_product("PY-1"))

order = client.save_order({**sale, "ext_order_id": f"python-{time.time_ns()}"})
told("a sale is placed", order["status"] == "pending")
told("it is paid", int(client.create_order_invoice(order["entity_id"], {"capture": True}, notify=False)) > 0)
told("it is handed over", int(client.ship_order(order["entity_id"], {"items": []})) > 0)
told("its invoice is found", len(list(client.get_order_invoices(order["entity_id"]))) == 1)
told("its shipment is found", len(list(client.get_order_shipments(order["entity_id"]))) == 1)
line = order["items"][0]["item_id"]
refund = {"items": [{"order_item_id": line, "qty": 1}], "notify": False}
told("it is refunded", int(client.post_json_api(f"/V1/order/{order['entity_id']}/refund", json=refund)) > 0)
told("the order is closed", client.get_order(order["entity_id"])["status"] == "closed")
told("its credit memo is found", len(list(client.get_credit_memos(limit=1))) == 1)
