#!/usr/bin/env python3
"""An extender that uses the prices of nodes: it rejects nodes without a price and prefers cheap nodes.

The price of a node is its label example.com/price. The profile does not set nodeCacheCapable, so requests contain
whole Node objects.
"""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = 8888
PRICE = "example.com/price"
BEST = 10  # the maximum score of the protocol


def price_of(node):
    return int(node["metadata"].get("labels", {}).get(PRICE, 0))


def filter_nodes(nodes):
    return {
        "Nodes": {"items": [node for node in nodes if price_of(node) > 0]},
        "FailedNodes": {node["metadata"]["name"]: "node has no price" for node in nodes if price_of(node) == 0},
    }


def prioritize(nodes):
    cheapest = min(price_of(node) for node in nodes)
    return [{"Host": node["metadata"]["name"], "Score": BEST * cheapest // price_of(node)} for node in nodes]


VERBS = {"/filter": filter_nodes, "/prioritize": prioritize}


class Extender(BaseHTTPRequestHandler):
    def answer(self, code, body):
        text = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.answer(200 if self.path == "/healthz" else 404, {})

    def do_POST(self):
        verb = VERBS.get(self.path)
        if verb is None:
            self.answer(404, {"Error": "no such verb"})
            return
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(200, verb(question["Nodes"]["items"]))


if __name__ == "__main__":
    ThreadingHTTPServer(("", PORT), Extender).serve_forever()
