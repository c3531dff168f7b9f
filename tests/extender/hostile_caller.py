#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Malicious and broken callers of an extender.

hostile_caller.py PORT sends requests to the extender at that port of the loopback address, at /test/f (filter) and
/test/p (prioritize). It prints one line for each bad request: its name and the response. While the slow callers hold
their connections, and after each of the other bad requests, a good request must be answered.

It implements the protocol with Python's standard library only and shares no code with Berth.
"""
import json
import socket
import sys

PORT = int(sys.argv[1])
POD = {"metadata": {"name": "p", "namespace": "default", "uid": "u"}}
NODES = {"metadata": {}, "items": [{"metadata": {"name": "n1"}}]}
GOOD = json.dumps({"Pod": POD, "Nodes": NODES, "NodeNames": None}).encode()


def connect():
    return socket.create_connection(("127.0.0.1", PORT), timeout=30)


def head(verb, length, extra=""):
    return f"POST /test/{verb} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n{extra}\r\n".encode()


def read(sock):
    """Returns the code and the body of one response; "closed" without a response."""
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            piece = sock.recv(65536)
            if not piece:
                return "closed", b""
            data += piece
        headers, body = data.split(b"\r\n\r\n", 1)
        length = 0
        for line in headers.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            piece = sock.recv(65536)
            if not piece:
                return "torn", body
            body += piece
        return int(headers.split()[1]), body
    except ConnectionError:
        return "closed", b""


def ask(body, verb="f"):
    with connect() as sock:
        try:
            sock.sendall(head(verb, len(body)) + body)
        except ConnectionError:
            pass  # the response may have arrived already
        return read(sock)


def good_is_answered():
    code, body = ask(GOOD)
    names = [node["metadata"]["name"] for node in json.loads(body)["Nodes"]["items"]]
    return code == 200 and names == ["n1"]


def show(name, answer):
    code, body = answer
    try:
        error = json.loads(body).get("Error", "") if body else ""
    except (ValueError, AttributeError):
        error = "no JSON object: " + repr(body[:60])
    print(f"{name}: {code} {error[:25]}{'' if good_is_answered() else ' AND A GOOD CALLER WAS NOT ANSWERED'}")


def question(**changes):
    asked = {"Pod": POD, "Nodes": NODES, "NodeNames": None}
    asked.update(changes)
    return json.dumps(asked).encode()


def main():
    for verb in ("f", "p"):
        show(verb + " nothing", ask(b"", verb))
        show(verb + " cut off", ask(GOOD[:-9], verb))
        show(verb + " no UTF-8", ask(b'{"Pod":"\xff\xfe', verb))
        show(verb + " a list", ask(b"[1,2]", verb))
        show(verb + " wrong type", ask(question(Pod=[7]), verb))
        show(verb + " nodes of a wrong type", ask(question(Nodes="n1"), verb))
        show(verb + " nested deeply", ask(b'{"Pod":' + b'{"a":' * 90000, verb))
        show(verb + " a million names", ask(question(NodeNames=[f"n{i}" for i in range(1000000)]), verb))
        show(verb + " zeros", ask(b"\0" * 1000, verb))
    with connect() as sock:
        sock.sendall(head("f", 10 ** 15))
        show("a length without end", read(sock))
    with connect() as sock:
        sock.sendall(b"POST /test/f HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                sock.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        except ConnectionError:
            pass
        code, _ = read(sock)
        show("chunks without end", (code if code == "closed" else "rejected", b""))
    with connect() as sock:
        sock.sendall(b"POST /test/f HTTP/1.1\r\nHost: x\r\nx: " + b"y" * 100000)
        show("a long header", read(sock))
    with connect() as sock:
        sock.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        sock.shutdown(socket.SHUT_WR)
        show("TLS", read(sock))
    slow = [connect() for _ in range(40)]
    for sock in slow:
        sock.sendall(head("f", len(GOOD)) + GOOD[:10])
    print("while 40 bodies come slowly:", "answered" if good_is_answered() else "not answered")
    print("a body that does not come:", sorted({read(sock)[0] for sock in slow}))
    for sock in slow:
        sock.close()
    with connect() as sock:
        sock.sendall(head("f", len(GOOD)) + GOOD)
    show("one that leaves", (0, b""))
    with connect() as sock:
        sock.sendall(b"GET /test/f HTTP/1.1\r\nHost: x\r\n\r\n")
        show("GET", read(sock))
    with connect() as sock:
        sock.sendall((head("f", len(GOOD)) + GOOD) * 20)
        print("twenty at once:", [read_one(sock) for _ in range(20)] == [200] * 20)


BUFFER = {}


def read_one(sock):
    """Reads one of several responses on a connection."""
    data = BUFFER.get(sock, b"")
    while b"\r\n\r\n" not in data:
        data += sock.recv(65536)
    headers, rest = data.split(b"\r\n\r\n", 1)
    length = next(int(line.split(b":")[1]) for line in headers.split(b"\r\n")
                  if line.lower().startswith(b"content-length:"))
    while len(rest) < length:
        rest += sock.recv(65536)
    BUFFER[sock] = rest[length:]
    return int(headers.split()[1])


main()
