// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/strategy.h"
#include "apiserver/patch/json_patch.h"
#include "apiserver/patch/merge_patch.h"
#include "apiserver/rest/body.h"
#include "apiserver/rest/handler.h"
#include "apiserver/rest/replies.h"
#include "apiserver/rest/subresources.h"

namespace berth::apiserver {

using nlohmann::json;

Answer<Reply> Handler::ServeSubresource(Exchange& exchange) {
  const RequestInfo& info = exchange.info;
  const Subresource* sub = exchange.kind->FindSubresource(info.subresource);
  if (sub == nullptr) return Refuse(NotFoundPath());
  if (std::find(sub->verbs.begin(), sub->verbs.end(), info.verb) == sub->verbs.end())
    return Refuse(MethodNotAllowed());
  if (sub->name == "scale") return ServeScale(exchange);
  if (info.verb == "get") return Get(exchange);
  const bool is_part = sub->kind == exchange.kind->Gvk() && sub->name != "finalize";
  if (is_part) return Write(exchange);
  const auto call = CallOf(exchange, "CreateOptions");
  if (!call) return Refuse(call.error());
  auto body = BodyOf(exchange, sub->kind.kind);
  if (!body) return Refuse(std::move(body).error());
  if (const auto fits = CheckShape(sub->kind, *body); !fits) return Refuse(fits.error());
  if (sub->name == "token") {
    const auto token = RequestToken(state_, *call, std::move(*body));
    if (!token) return Refuse(token.error());
    return JsonReply(201, token->dump());
  }
  const auto written = sub->name == "binding"    ? BindPod(state_, *call, *body)
                       : sub->name == "eviction" ? EvictPod(state_, *call, *body)
                                                 : FinalizeNamespace(state_, *call, *body);
  if (!written) return Refuse(written.error());
  return JsonReply(written->created ? 201 : 200, written->text);
}

Answer<Reply> Handler::ServeScale(Exchange& exchange) {
  const auto object = Find(exchange);
  if (!object) return Refuse(object.error());
  const KindInfo& kind = *exchange.kind;
  const json live = json::parse((*object)->text);
  auto scale = ScaleOf(kind, live);
  if (!scale || exchange.info.verb == "get") {
    return scale ? Answer<Reply>(JsonReply(200, scale->dump()))
                 : Answer<Reply>(Refuse(scale.error()));
  }
  const auto call = CallOf(exchange, "UpdateOptions");
  if (!call) return Refuse(call.error());
  json wanted;
  if (exchange.info.verb == "update") {
    auto body = BodyOf(exchange, "Scale");
    if (!body) return Refuse(std::move(body).error());
    wanted = std::move(*body);
  } else {
    const std::string type = BaseType(exchange.request.headers.Find("Content-Type").value_or(""));
    auto patched = type == "application/json-patch+json"
                       ? ApplyJsonPatch(*scale, exchange.request.body)
                       : ApplyMergePatch(*scale, exchange.request.body);
    if (!patched) return Refuse(FromError(patched.error()));
    wanted = std::move(*patched);
  }
  if (const auto fits = CheckShape({"autoscaling", "v1", "Scale"}, wanted); !fits) {
    return Refuse(fits.error());
  }
  const auto written = Writer(state_).Change(
      *call, [&](json& document) { return SetScale(kind, wanted, document); });
  if (!written) return Refuse(written.error());
  const auto shown = ScaleOf(kind, json::parse(written->text));
  if (!shown) return Refuse(shown.error());
  return JsonReply(200, shown->dump());
}

}  // namespace berth::apiserver
