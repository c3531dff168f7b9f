#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An extender that behaves as it is asked to, well and in every bad way.

hostile_extender.py [--cert FILE --key FILE [--client-ca FILE]] listens on a free port of the loopback, prints
"port N" and serves until it is ended. Calls are POST /MODE/VERB; MODE says how it behaves (see MODES and
MISBEHAVIOUR). GET /log gives what it was asked, as JSON, POST /behave/MODE what /switch/VERB does from now on.

It is written from the protocol alone, with nothing but Python's standard library, and shares no code with Berth.
"""
import argparse
import gzip
import json
import socket
import socketserver
import ssl
import struct
import threading
import time

LOG = []
LOG_LOCK = threading.Lock()
SWITCH = {"mode": "ok"}


def node_names(question):
    if question.get("NodeNames") is not None:
        return list(question["NodeNames"])
    return [node["metadata"]["name"] for node in question["Nodes"]["items"]]


def filter_nodes(question):
    passed, failed, hopeless = [], {}, {}
    for name in node_names(question):
        if name.startswith("bad"):
            failed[name] = name + " is full"
        elif name.startswith("never"):
            hopeless[name] = name + " has no GPU"
        elif not name.startswith("silent"):
            passed.append(name)
    answer = {"Nodes": None, "NodeNames": None, "FailedNodes": failed, "FailedAndUnresolvableNodes": hopeless,
              "Error": ""}
    if question.get("NodeNames") is not None:
        answer["NodeNames"] = passed
    else:
        answer["Nodes"] = {"metadata": {}, "items": [n for n in question["Nodes"]["items"]
                                                     if n["metadata"]["name"] in passed]}
    return answer


def prioritize(question):
    return [{"Host": name, "Score": len(name)} for name in node_names(question)]


def preempt(question):
    nodes = {}
    for name, victims in (question.get("NodeNameToMetaVictims") or {}).items():
        nodes[name] = {"Pods": victims["Pods"], "NumPDBViolations": victims["NumPDBViolations"]}
    for name, victims in (question.get("NodeNameToVictims") or {}).items():
        nodes[name] = {"Pods": [{"UID": pod["metadata"]["uid"]} for pod in victims["Pods"]],
                       "NumPDBViolations": victims["NumPDBViolations"]}
    # It spares the last victim of each node, and the nodes whose names say so.
    return {"NodeNameToMetaVictims": {name: {"Pods": v["Pods"][:-1] or v["Pods"],
                                             "NumPDBViolations": v["NumPDBViolations"]}
                                      for name, v in nodes.items() if not name.startswith("spared")}}


VERBS = {"filter": filter_nodes, "prioritize": prioritize, "preempt": preempt, "bind": lambda question: {"Error": ""}}


def lower_names(value):
    """The names of the protocol's fields as extenders with JSON tags write them."""
    names = {"Nodes", "NodeNames", "FailedNodes", "FailedAndUnresolvableNodes", "Error", "Host", "Score",
             "NodeNameToMetaVictims", "Pods", "NumPDBViolations", "UID"}
    if isinstance(value, list):
        return [lower_names(item) for item in value]
    if isinstance(value, dict):
        return {(key.lower() if key in names else key): lower_names(item) for key, item in value.items()}
    return value


# Answers with code 200 whose content is special: MODE -> text, or a function of verb and question.
def for_verb(**texts):
    return lambda verb, question: texts[verb]


def twice(verb, question):
    answer = VERBS[verb](question)
    if verb == "prioritize":
        return json.dumps(answer + answer)
    answer["NodeNames"] = answer["NodeNames"] + answer["NodeNames"]
    return json.dumps(answer)


NASTY = "line one\r\nline two\t\x1b[31mred\x00\x7f \u202eoverride\u2028end " + "x" * 3000
MODES = {
    "ok": lambda verb, question: json.dumps(VERBS[verb](question)),
    "lower": lambda verb, question: json.dumps(lower_names(VERBS[verb](question))),
    "nothing": "",
    "blank": " \n",
    "null": "null",
    "text": "Internal Server Error",
    "error": for_verb(filter='{"Error": "the licence server is down"}', bind='{"Error": "no such\\nnode"}'),
    "nasty-error": lambda verb, question: json.dumps({"Error": NASTY}),
    "nasty-refusals": lambda verb, question: json.dumps({"NodeNames": [], "FailedNodes": {
        name: NASTY for name in node_names(question)}}),
    "bytes": b'{"Error": "no utf-8: \xff\xfe"}',
    "unknown": for_verb(
        filter='{"NodeNames": ["else\\nwhere"]}',
        prioritize='[{"Host": "elsewhere", "Score": 10}, {"Host": "n1", "Score": 3}]',
        preempt='{"NodeNameToMetaVictims": {"elsewhere": {"Pods": []}}}'),
    "unknown-nodes": for_verb(filter='{"Nodes": {"items": [{"metadata": {"name": "elsewhere"}}, null, {},'
                                     ' {"metadata": {"name": "n2"}}]}}'),
    "unknown-refusals": for_verb(filter='{"NodeNames": ["n1"], "FailedNodes": {"elsewhere": "x", "n2": "y"}}'),
    "unknown-pod": for_verb(preempt='{"NodeNameToMetaVictims": {"n1": {"Pods": [{"UID": "nobody"}]}}}'),
    "no-victims": for_verb(preempt='{"NodeNameToMetaVictims": {"n1": null}}'),
    "many-violations": for_verb(preempt='{"NodeNameToMetaVictims": {"n1": {"Pods": [{"UID": "uid-v1"},'
                                        ' {"UID": "uid-v1"}], "NumPDBViolations": 99999999999}}}'),
    "twice": twice,
    "both-refusals": for_verb(filter='{"NodeNames": [], "FailedNodes": {"n1": "full", "n2": "full"},'
                                     ' "FailedAndUnresolvableNodes": {"n2": "no GPU"}}'),
    "neither": for_verb(filter="{}"),
    "list": for_verb(filter="[]", prioritize="{}", bind="[]", preempt="[]"),
    "names-are-text": for_verb(filter='{"NodeNames": "n1"}'),
    "nan": for_verb(prioritize='[{"Host": "n1", "Score": NaN}]'),
    "1e309": for_verb(prioritize='[{"Host": "n1", "Score": 1e309}]'),
    "fraction": for_verb(prioritize='[{"Host": "n1", "Score": 0.5}]'),
    "score-is-text": for_verb(prioritize='[{"Host": "n1", "Score": "10"}]'),
    "extreme": for_verb(prioritize='[{"Host": "n1", "Score": 9223372036854775807},'
                                   ' {"Host": "n2", "Score": -9223372036854775808}]'),
    "two-values": for_verb(filter='{"NodeNames": ["n1"]}\n{"Error": "too late"}\n'),
    "deep": for_verb(filter='{"Nodes": ' + "[" * 5000 + "]" * 5000 + "}"),
    "big": lambda verb, question: " " * (2 << 20) + json.dumps(VERBS[verb](question)),
}


class Broken(Exception):
    """Ends the handler as a crash of a program would: the connection is closed."""


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            while self.serve_one():
                pass
        except (OSError, Broken):
            pass

    def serve_one(self):
        first = self.rfile.readline(65536).decode("latin-1").split()
        if len(first) != 3:
            return False
        headers = {}
        while True:
            line = self.rfile.readline(65536).decode("latin-1").strip()
            if not line:
                break
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", 0)))
        method, path = first[0], first[1]
        if path == "/log":
            with LOG_LOCK:
                self.answer(json.dumps(LOG))
            return True
        _, mode, verb = path.split("/", 2)
        if mode == "behave":
            SWITCH["mode"] = verb
            self.answer("")
            return True
        with LOG_LOCK:
            LOG.append({"method": method, "path": path, "headers": headers, "body": body.decode("utf-8"),
                        "client": "%s:%d" % self.client_address, "peer": self.peer()})
        if mode == "switch":
            mode = SWITCH["mode"]
        if mode in MODES:
            content = MODES[mode]
            if callable(content):
                content = content(verb, json.loads(body))
            self.answer(content)
            return True
        return MISBEHAVIOUR[mode](self, verb) or False

    def peer(self):
        certificate = self.request.getpeercert() if isinstance(self.request, ssl.SSLSocket) else None
        return dict(part[0] for part in certificate["subject"])["commonName"] if certificate else ""

    def send(self, data):
        self.wfile.write(data.encode() if isinstance(data, str) else data)
        self.wfile.flush()

    def answer(self, content, code="200 OK", more=""):
        data = content.encode() if isinstance(content, str) else content
        self.send(f"HTTP/1.1 {code}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n{more}\r\n")
        self.send(data)

    # Each of these misbehaves in one way; True keeps the connection.
    def die(self, verb):
        raise Broken()

    def close_idle(self, verb):
        """Answers well and closes the connection at once, without a word of it."""
        self.answer('{"Error": ""}' if verb == "bind" else '{"NodeNames": []}')

    def reset(self, half):
        self.send(half)
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Broken()

    def drip(self, head):
        self.send(head)
        while True:
            time.sleep(0.05)
            self.send(b"x" if head.endswith("\r\n\r\n") else b"X-Drip: x\r\n")

    def endless(self, verb):
        self.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.send(b"10000\r\n" + b" " * 65536 + b"\r\n")

    def endless_head(self, verb):
        self.send("HTTP/1.1 200 OK\r\n")
        while True:
            self.send(b"X-More: " + b"y" * 8192 + b"\r\n")

    def huge(self, verb):
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            self.send(b" " * 65536)

    def gzip_bomb(self, verb):
        data = gzip.compress(b" " * (50 << 20) + b"{}")
        self.answer(data, more="Content-Encoding: gzip\r\n")
        return True


def status(code, more=""):
    def misbehave(handler, verb):
        handler.answer("", code, more)
        return True
    return misbehave


MISBEHAVIOUR = {
    "die": Handler.die,
    "close-idle": Handler.close_idle,
    "reset-head": lambda handler, verb: handler.reset("HTTP/1.1 200 OK\r\nContent-Le"),
    "reset-body": lambda handler, verb: handler.reset('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"NodeNames": ["n1"'),
    "slow-head": lambda handler, verb: handler.drip("HTTP/1.1 200 OK\r\n"),
    "slow-body": lambda handler, verb: handler.drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"),
    "hang": lambda handler, verb: handler.request.recv(1),
    "endless": Handler.endless,
    "endless-head": Handler.endless_head,
    "huge": Handler.huge,
    "gzip-bomb": Handler.gzip_bomb,
    "too-short": lambda handler, verb: handler.send('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"NodeNames": ["n1"]}'),
    "too-long": lambda handler, verb: handler.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"NodeNames": ["n1"]}'),
    "no-http": lambda handler, verb: handler.send("220 mail.example.com ESMTP\r\n"),
    "redirect": lambda handler, verb: status("302 Found", f"Location: /ok/{verb}\r\n")(handler, verb),
    "redirect-307": lambda handler, verb: status("307 Temporary Redirect", f"Location: /ok/{verb}\r\n")(handler, verb),
    "204": lambda handler, verb: handler.send("HTTP/1.1 204 No Content\r\n\r\n") or True,
    "404": status("404 Not Found"),
    "500": status("500 Internal Server Error"),
    "503": status("503 Service Unavailable", "Retry-After: 1\r\n"),
}


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128
    context = None

    def finish_request(self, request, client_address):
        if self.context:
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except OSError:
                return
        self.RequestHandlerClass(request, client_address, self)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--client-ca")
    options = parser.parse_args()
    if options.cert:
        Server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        Server.context.load_cert_chain(options.cert, options.key)
        if options.client_ca:
            Server.context.load_verify_locations(options.client_ca)
            Server.context.verify_mode = ssl.CERT_REQUIRED
    with Server(("127.0.0.1", 0), Handler) as server:
        print("port", server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
