#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Prometheus that behaves correctly or in one of many wrong ways, on request.

hostile_prometheus.py [--cert FILE --key FILE [--client-ca FILE]], see ../hostile_server.py. Requests are
GET /MODE/api/v1/query?query=...

It implements the documented HTTP API of Prometheus with only Python's standard library and shares no
code with Berth.
"""
import json
import pathlib
import ssl
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import hostile_server  # noqa: E402


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


class Handler(hostile_server.Handler):
    def behave(self, mode, rest, headers, body):
        if mode in TEXTS:
            return self.answer(TEXTS[mode])
        if mode.startswith("for-"):  # responds to clients with that name, in a token or a certificate
            shown = (headers.get("authorization"), self.peer())
            is_right = shown in (("Bearer " + mode[4:], ""), (None, mode[4:]))
            return self.answer(*((TEXTS["ok"],) if is_right else CODES["401"]))
        if mode in CODES:
            return self.answer(*CODES[mode])
        return MISBEHAVIOUR[mode](self)


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
    "reset": lambda handler: handler.reset("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"),
    "drip": lambda handler: handler.drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", " "),
    "hang": Handler.hang,
    "endless": Handler.endless,
    "huge": Handler.huge,
    "gzip-bomb": lambda handler: handler.gzip_bomb(data(GOOD)),
    "no-http": Handler.speak_no_http,
    "204": lambda handler: handler.send("HTTP/1.1 204 No Content\r\n\r\n"),
}

if __name__ == "__main__":
    hostile_server.serve(Handler, ssl.CERT_OPTIONAL)
