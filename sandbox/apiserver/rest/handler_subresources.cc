// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/replies.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/subresources/subresources.h"

namespace berth::apiserver {

using nlohmann::json;

namespace {

// For admission, the document of an action counts as a create.
Answer<void> AdmitAction(State& state, const WriteCall& call, const GroupVersionKind& kind,
                         json& document) {
  document["apiVersion"] = kind.ApiVersion();
  document["kind"] = kind.kind;
  const AdmissionRequest request = {.kind = call.kind,
                                    .operation = "CREATE",
                                    .namespace_ = call.namespace_,
                                    .name = call.name,
                                    .subresource = call.subresource,
                                    .user = call.user,
                                    .dry_run = call.options.dry_run,
                                    .warnings = call.warnings};
  if (auto ok = MutateOnAdmission(state, request, document); !ok) return ok;
  return ValidateOnAdmission(state, request, &document);
}

}  // namespace

Answer<Reply> Handler::ServeSubresource(Exchange& exchange) {
  const RequestInfo& info = exchange.info;
  const Subresource* sub = exchange.kind->FindSubresource(info.subresource);  // found by Misrouted
  if (sub->connects) return RejectConnection(exchange);
  if (sub->name == "scale") return ServeScale(exchange);
  if (info.verb == "get") return Get(exchange);
  const bool is_part = sub->kind == exchange.kind->Gvk();
  if (is_part) return Write(exchange);
  const auto call = CallOf(exchange, "CreateOptions");
  if (!call) return Reject(call.error());
  auto body = BodyOf(exchange);
  if (!body) return Reject(std::move(body).error());
  if (const auto fits = CheckShape(sub->kind, *body); !fits) return Reject(fits.error());
  if (sub->name == "token") {
    const auto token = RequestToken(state_, *call, std::move(*body));
    if (!token) return Reject(token.error());
    return JsonReply(201, DocumentText(*token));
  }
  if (const auto admitted = AdmitAction(state_, *call, sub->kind, *body); !admitted)
    return Reject(admitted.error());
  const auto written =
      sub->name == "binding" ? BindPod(state_, *call, *body) : EvictPod(state_, *call, *body);
  if (!written) return Reject(written.error());
  return JsonReply(written->created ? 201 : 200, written->text);
}

// Logs, consoles and proxies are served by nodes, which this server does not call.
Answer<Reply> Handler::RejectConnection(const Exchange& exchange) {
  const auto object = Find(exchange);
  if (!object) return Reject(object.error());
  const KindInfo& kind = *exchange.kind;
  const std::string& name = exchange.info.name;
  if (kind.kind == "Pod" && TextAt(ReadDocument((*object)->text), "spec/nodeName").empty())
    return Reject(BadRequest("pod " + name + " does not have a host assigned"));
  return Reject({.code = 503,
                 .reason = "ServiceUnavailable",
                 .message = "this server has no connection to nodes and pods: " + kind.plural +
                            "/" + exchange.info.subresource + " of " + Quoted(name) +
                            " cannot be reached",
                 .details = {}});
}

Answer<Reply> Handler::ServeScale(Exchange& exchange) {
  const std::string& verb = exchange.info.verb;
  if (verb == "get") {
    const auto object = Find(exchange);
    if (!object) return Reject(object.error());
    return JsonReply(200, DocumentText(ScaleOf(*exchange.kind, ReadDocument((*object)->text))));
  }
  const bool patch = verb == "patch";
  const auto call = CallOf(exchange, patch ? "PatchOptions" : "UpdateOptions");
  if (!call) return Reject(call.error());
  const std::string type(exchange.request.headers.Find("Content-Type").value_or(""));
  const auto scale = WriteScale(state_, *call, patch ? BaseType(type) : std::string(), type,
                                exchange.request.body);
  if (!scale) return Reject(scale.error());
  return JsonReply(200, DocumentText(*scale));
}

}  // namespace berth::apiserver
