"""A receiver of webhooks. WEBHOOK_SECRET=whsec_... PORT=9000 python3 receiver.py

It verifies with the library `standardwebhooks` where that is installed, else by hand: the algorithm is short.
"""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]

try:
    from standardwebhooks.webhooks import Webhook

    def verify(body, headers):
        Webhook(SECRET).verify(body, {name.lower(): value for name, value in headers.items()})

except ImportError:

    def verify(body, headers):
        sent = int(headers["webhook-timestamp"])
        if abs(time.time() - sent) > 300:
            raise ValueError("too old, or too new")
        key = base64.b64decode(SECRET.removeprefix("whsec_"))
        signed = f"{headers['webhook-id']}.{sent}.".encode() + body
        mine = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        given = headers["webhook-signature"].split(" ")
        if not any(hmac.compare_digest(f"v1,{mine}", one) for one in given):
            raise ValueError("no signature is of this secret")


# In a real receiver: a table, in one transaction with what the event does.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            verify(body, self.headers)
        except Exception:
            return self.answer(401)
        name = self.headers["webhook-id"]
        is_new = name not in seen
        seen.add(name)
        # The answer comes first: the shop waits ten seconds for it.
        self.answer(204)
        if is_new:
            work(json.loads(body))

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def work(event):
    print(event["type"], event["object"]["kind"], event["object"]["id"], flush=True)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print("listening", json.dumps({"port": server.server_address[1]}), flush=True)
    server.serve_forever()
