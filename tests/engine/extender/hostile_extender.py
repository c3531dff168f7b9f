#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An extender that behaves correctly or in one of many wrong ways, on request.

hostile_extender.py [--cert FILE --key FILE [--client-ca FILE]], see ../hostile_server.py. Requests are
POST /MODE/VERB; see MODES and MISBEHAVIOUR.

It implements the protocol with only Python's standard library and shares no code with Berth.
"""
import json
import pathlib
import ssl
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import hostile_server  # noqa: E402


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
    # It spares the last victim of each node, and all victims of nodes with special names.
    return {"NodeNameToMetaVictims": {name: {"Pods": v["Pods"][:-1] or v["Pods"],
                                             "NumPDBViolations": v["NumPDBViolations"]}
                                      for name, v in nodes.items() if not name.startswith("spared")}}


VERBS = {"filter": filter_nodes, "prioritize": prioritize, "preempt": preempt, "bind": lambda question: {"Error": ""}}


def lower_names(value):
    """The response with field names in lower case, like extenders with JSON tags."""
    names = {"Nodes", "NodeNames", "FailedNodes", "FailedAndUnresolvableNodes", "Error", "Host", "Score",
             "NodeNameToMetaVictims", "Pods", "NumPDBViolations", "UID"}
    if isinstance(value, list):
        return [lower_names(item) for item in value]
    if isinstance(value, dict):
        return {(key.lower() if key in names else key): lower_names(item) for key, item in value.items()}
    return value


# Responses with code 200 and special content: MODE -> text, or a function of verb and request.
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


class Handler(hostile_server.Handler):
    def behave(self, mode, rest, headers, body):
        if mode in MODES:
            content = MODES[mode]
            if callable(content):
                content = content(rest, json.loads(body))
            return self.answer(content)
        return MISBEHAVIOUR[mode](self, rest)

    def close_idle(self, verb):
        """Responds correctly and closes the connection at once, without announcing it."""
        self.answer('{"Error": ""}' if verb == "bind" else '{"NodeNames": []}')


def status(code, more=""):
    return lambda handler, verb: handler.answer("", code, more)


MISBEHAVIOUR = {
    "die": lambda handler, verb: handler.die(),
    "close-idle": Handler.close_idle,
    "reset-head": lambda handler, verb: handler.reset("HTTP/1.1 200 OK\r\nContent-Le"),
    "reset-body": lambda handler, verb: handler.reset('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"NodeNames": ["n1"'),
    "slow-head": lambda handler, verb: handler.drip("HTTP/1.1 200 OK\r\n", "X-Drip: x\r\n"),
    "slow-body": lambda handler, verb: handler.drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x"),
    "hang": lambda handler, verb: handler.hang(),
    "endless": lambda handler, verb: handler.endless(),
    "endless-head": lambda handler, verb: handler.endless_head(),
    "huge": lambda handler, verb: handler.huge(),
    "gzip-bomb": lambda handler, verb: handler.gzip_bomb("{}"),
    "too-short": lambda handler, verb: handler.send('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"NodeNames": ["n1"]}'),
    "too-long": lambda handler, verb: handler.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"NodeNames": ["n1"]}'),
    "no-http": lambda handler, verb: handler.speak_no_http(),
    "redirect": lambda handler, verb: status("302 Found", f"Location: /ok/{verb}\r\n")(handler, verb),
    "redirect-307": lambda handler, verb: status("307 Temporary Redirect", f"Location: /ok/{verb}\r\n")(handler, verb),
    "204": lambda handler, verb: handler.send("HTTP/1.1 204 No Content\r\n\r\n") or True,
    "404": status("404 Not Found"),
    "500": status("500 Internal Server Error"),
    "503": status("503 Service Unavailable", "Retry-After: 1\r\n"),
}

if __name__ == "__main__":
    hostile_server.serve(Handler, ssl.CERT_REQUIRED)
