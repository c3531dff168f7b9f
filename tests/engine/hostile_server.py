# SPDX-License-Identifier: Apache-2.0
"""Base of the test servers that behave correctly or in one of many wrong ways, on request.

Requests are METHOD /MODE/REST; MODE selects the behavior. GET /log returns the received requests as JSON.
POST /behave/MODE sets the behavior of /switch/REST. Uses only Python's standard library and no code of Berth.
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


class Broken(Exception):
    """Ends the handler like a crash of the program: the connection is closed."""


class Handler(socketserver.StreamRequestHandler):
    """A connection. Servers override `behave` to handle a request; it returns true to keep the connection."""

    def behave(self, mode, rest, headers, body):
        raise NotImplementedError

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
        _, mode, rest = path.split("/", 2)
        if mode == "behave":
            SWITCH["mode"] = rest
            self.answer("")
            return True
        with LOG_LOCK:
            LOG.append({"method": method, "path": path, "headers": headers, "body": body.decode("utf-8"),
                        "client": "%s:%d" % self.client_address, "peer": self.peer()})
        return self.behave(SWITCH["mode"] if mode == "switch" else mode, rest, headers, body) or False

    def peer(self):
        """The name in the client certificate; empty: no certificate."""
        certificate = self.request.getpeercert() if isinstance(self.request, ssl.SSLSocket) else None
        return dict(part[0] for part in certificate["subject"])["commonName"] if certificate else ""

    def send(self, content):
        self.wfile.write(content.encode() if isinstance(content, str) else content)
        self.wfile.flush()

    def answer(self, content, code="200 OK", more=""):
        content = content.encode() if isinstance(content, str) else content
        self.send(f"HTTP/1.1 {code}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n{more}\r\n")
        self.send(content)
        return True

    # Each of these misbehaves in one way.
    def die(self):
        raise Broken()

    def reset(self, half):
        self.send(half)
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Broken()

    def drip(self, head, drop):
        self.send(head)
        while True:
            time.sleep(0.05)
            self.send(drop)

    def hang(self):
        self.request.recv(1)

    def endless(self):
        self.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.send(b"10000\r\n" + b" " * 65536 + b"\r\n")

    def endless_head(self):
        self.send("HTTP/1.1 200 OK\r\n")
        while True:
            self.send(b"X-More: " + b"y" * 8192 + b"\r\n")

    def huge(self):
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            self.send(b" " * 65536)

    def gzip_bomb(self, content):
        return self.answer(gzip.compress(b" " * (50 << 20) + content.encode()), more="Content-Encoding: gzip\r\n")

    def speak_no_http(self):
        self.send("220 mail.example.com ESMTP\r\n")


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


def serve(handler, verify_mode):
    """Listens on a free port of the loopback, prints "port N" and serves until it is killed. `verify_mode` is for
    client certificates, with --client-ca."""
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
            Server.context.verify_mode = verify_mode
    with Server(("127.0.0.1", 0), handler) as server:
        print("port", server.server_address[1], flush=True)
        server.serve_forever()
