#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Prometheus that behaves as it is asked to, well and in every bad way.

hostile_prometheus.py [--cert FILE --key FILE [--client-ca FILE]] listens on a free port of the loopback, prints "port N" and
serves until it is ended. Calls are GET /MODE/api/v1/query?query=...; MODE says how it behaves. GET /log gives what it was
asked, as JSON, POST /behave/MODE what /switch does from now on.

It is written from the description of Prometheus' HTTP API alone, with nothing but Python's standard library, and shares no
code with Berth.
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


def sample(value, **labels):
    return {"metric": labels, "value": [1700000000.123, value]}


def data(result, kind="vector"):
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}})


def failure(kind, text):
    return json.dumps({"status": "error", "errorType": kind, "error": text})


GOOD = [sample("0", instance="n1:9100"), sample("50.5", instance="n2:9100"), sample("101", instance="n3")]
TEXTS = {
    "ok": data(GOOD),
    "moved": data([sample("101", instance="n1:9100"), sample("50.5", instance="n2:9100"), sample("0", instance="n3")]),
    "hardly-moved": data([sample("0.1", instance="n1"), sample("50.6", instance="n2"), sample("101.2", instance="n3")]),
    "without-n3": data(GOOD[:2]),
    "idle": data([sample("0", instance=name) for name in ("n1", "n2", "n3")]),
    "addresses": data([sample("1", instance="10.0.0.1:9100"), sample("2", instance="[FD00:0::2]:9100"),
                       sample("1", instance="machine-2:9256"), sample("4", instance="203.0.113.3:9100")]),
    "unknown-nodes": data([sample("5", instance="10.0.0.1:9100"), sample("6", instance="elsewhere")]),
    "odd-values": data([sample("NaN", instance="n1"), sample("+Inf", instance="n2"), sample("7", instance="n3"),
                        sample("-Inf", instance="n4"), sample("1e309", instance="n5"), sample("-3", instance="n6"),
                        sample("many", instance="n7"), sample("", instance="n8"), {"metric": {"instance": "n9"}}]),
    "nan": data([sample("NaN", instance=name) for name in ("n1", "n2", "n3")]),
    "number-value": data([sample(7, instance="n1")]),
    "bare-nan": '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"instance":"n1"},"value":[1,NaN]}]}}',
    "bare-1e309": '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"instance":"n1"},"value":[1,1e309]}]}}',
    "duplicates": data([sample("3", instance="n1:9100"), sample("9", instance="n1:9101"), sample("9", instance="n2:1")]),
    "no-label": data([sample("3", node="n1"), sample("4")]),
    "empty": data([]),
    "matrix": data([{"metric": {"instance": "n1"}, "values": [[1, "2"], [3, "4"]]}], "matrix"),
    "scalar": data([1700000000.1, "7"], "scalar"),
    "string": data([1700000000.1, "text"], "string"),
    "no-data": '{"status":"success"}',
    "other-status": '{"status":"maybe"}',
    "result-is-text": '{"status":"success","data":{"resultType":"vector","result":"x"}}',
    "nothing": "",
    "null": "null",
    "list": "[]",
    "text": "Prometheus is starting",
    "page": "<html>404</html>",
    "cut": data(GOOD)[:60],
    "bytes": b'{"status":"error","errorType":"\xff","error":"\xfe"}',
    "deep": '{"status":"success","data":' + "[" * 5000 + "]" * 5000 + "}",
    "many": data([sample("1", instance="node-%d" % i) for i in range(50001)]),
    "nasty": failure("bad_data", "line one\r\nline two\t\x1b[31mred\x00 \u202eturned " + "x" * 3000),
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
        mode = path.split("/")[1]
        if mode == "behave":
            SWITCH["mode"] = path.split("/")[2]
            self.answer("")
            return True
        with LOG_LOCK:
            LOG.append({"method": method, "path": path, "headers": headers, "body": body.decode("utf-8"),
                        "client": "%s:%d" % self.client_address, "peer": self.peer()})
        if mode == "switch":
            mode = SWITCH["mode"]
        if mode in TEXTS:
            self.answer(TEXTS[mode])
        elif mode.startswith("for-"):  # answers those who show that name, as a token or in a certificate
            shown = (headers.get("authorization"), self.peer())
            is_right = shown in (("Bearer " + mode[4:], ""), (None, mode[4:]))
            self.answer(*((TEXTS["ok"],) if is_right else CODES["401"]))
        elif mode in CODES:
            self.answer(*CODES[mode])
        else:
            return MISBEHAVIOUR[mode](self) or False
        return True

    def peer(self):
        certificate = self.request.getpeercert() if isinstance(self.request, ssl.SSLSocket) else None
        return dict(part[0] for part in certificate["subject"])["commonName"] if certificate else ""

    def send(self, content):
        self.wfile.write(content.encode() if isinstance(content, str) else content)
        self.wfile.flush()

    def answer(self, content, code="200 OK", more=""):
        content = content.encode() if isinstance(content, str) else content
        self.send(f"HTTP/1.1 {code}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n{more}\r\n")
        self.send(content)

    def die(self):
        raise Broken()

    def reset(self):
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Broken()

    def drip(self):
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while True:
            time.sleep(0.05)
            self.send(" ")

    def hang(self):
        self.request.recv(1)

    def endless(self):
        self.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.send(b"10000\r\n" + b" " * 65536 + b"\r\n")

    def huge(self):
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            self.send(b" " * 65536)

    def gzip_bomb(self):
        self.answer(gzip.compress(b" " * (50 << 20) + data(GOOD).encode()), more="Content-Encoding: gzip\r\n")
        return True


CODES = {
    "bad-query": (failure("bad_data", "invalid parameter \"query\": 1:5: parse error"), "400 Bad Request"),
    "too-slow": (failure("timeout", "query timed out in expression evaluation"), "503 Service Unavailable"),
    "redirect": ("", "302 Found", "Location: /ok/api/v1/query\r\n"),
    "redirect-307": ("", "307 Temporary Redirect", "Location: /ok/api/v1/query\r\n"),
    "401": ("", "401 Unauthorized"),
    "404": ("404 page not found", "404 Not Found"),
    "500": ("", "500 Internal Server Error"),
    "error-200": (failure("internal", "out of memory"), "200 OK"),
}
MISBEHAVIOUR = {
    "die": Handler.die,
    "reset": Handler.reset,
    "drip": Handler.drip,
    "hang": Handler.hang,
    "endless": Handler.endless,
    "huge": Handler.huge,
    "gzip-bomb": Handler.gzip_bomb,
    "no-http": lambda handler: handler.send("220 mail.example.com ESMTP\r\n"),
    "204": lambda handler: handler.send("HTTP/1.1 204 No Content\r\n\r\n"),
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
            Server.context.verify_mode = ssl.CERT_OPTIONAL
    with Server(("127.0.0.1", 0), Handler) as server:
        print("port", server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
