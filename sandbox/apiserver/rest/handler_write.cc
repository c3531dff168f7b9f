// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/auth/reviews.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/replies.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/request/request_body.h"

// The writing verbs, and the reviews, which have the same form.
namespace berth::apiserver {

using nlohmann::json;

Answer<json> Handler::BodyOf(const Exchange& exchange) const {
  const std::string type = exchange.Header("Content-Type");
  return ReadBody(type, exchange.request.body);
}

Answer<WriteCall> Handler::CallOf(Exchange& exchange, const char* options_type) {
  const RequestInfo& info = exchange.info;
  auto options = ReadWriteOptions(info.query, options_type, exchange.Header("User-Agent"));
  if (!options) return Reject(std::move(options).error());
  return WriteCall{exchange.kind,  info.namespace_,     info.name,         info.subresource,
                   &exchange.user, std::move(*options), &exchange.warnings};
}

Reply Handler::WrittenReply(Exchange& exchange, Written written) {
  const int code = written.created ? 201 : 200;
  const json document = exchange.look.shape == Shape::kObject ? json() : ReadDocument(written.text);
  if (document.is_null() || document.value("kind", "") == "Status")
    return JsonReply(code, std::move(written.text));
  const ObjectPtr object =
      MakeObject(MakeDraft(document, {}),
                 std::stoull("0" + document["metadata"].value("resourceVersion", "")));
  return JsonReply(code, presenter_.ObjectText(exchange.kind, exchange.look, *object));
}

Answer<Reply> Handler::Write(Exchange& exchange) {
  const std::string& verb = exchange.info.verb;
  auto call = CallOf(exchange, verb == "create"   ? "CreateOptions"
                               : verb == "update" ? "UpdateOptions"
                                                  : "PatchOptions");
  if (!call) return Reject(call.error());
  Writer writer(state_);
  Answer<Written> written;
  if (verb == "patch") {
    written = writer.Patch(*call, BaseType(exchange.Header("Content-Type")), exchange.request.body);
  } else {
    auto body =
        ReadObjectBody(exchange.Header("Content-Type"), exchange.request.body, *exchange.kind);
    if (!body) return Reject(std::move(body).error());
    written = verb == "create" ? writer.Create(*call, std::move(*body))
                               : writer.Update(*call, std::move(*body));
  }
  if (!written) return Reject(std::move(written).error());
  return WrittenReply(exchange, std::move(*written));
}

Answer<DeleteOptions> Handler::DeleteOptionsIn(const Exchange& exchange) const {
  if (exchange.request.body.empty()) return ReadDeleteOptions(exchange.info.query);
  return DecodeDeleteOptions(exchange.Header("Content-Type"), exchange.request.body);
}

Answer<Reply> Handler::Delete(Exchange& exchange) {
  const auto options = DeleteOptionsIn(exchange);
  if (!options) return Reject(options.error());
  auto call = CallOf(exchange, "DeleteOptions");
  if (!call) return Reject(std::move(call).error());
  const auto written = Writer(state_).Delete(*call, *options);
  if (!written) return Reject(written.error());
  return WrittenReply(exchange, *written);
}

Answer<Reply> Handler::ServeReview(Exchange& exchange) {
  auto body = BodyOf(exchange);
  if (!body) return Reject(std::move(body).error());
  const auto call = CallOf(exchange, "CreateOptions");
  if (!call) return Reject(call.error());
  const auto admitted =
      AdmitDocument(*exchange.kind, call->options.validation, exchange.warnings, *body);
  if (!admitted) return Reject(admitted.error());
  if (const auto same = Writer(state_).CheckIdentity(*call, *body); !same)
    return Reject(same.error());
  RecordUpdate(FieldWriteOf(*call, state_.clock.Wall(), true), json::object(), &*body);
  const auto answer = Review(state_, *exchange.kind, exchange.user, std::move(*body));
  if (!answer) return Reject(answer.error());
  return JsonReply(201, DocumentText(*answer));
}

}  // namespace berth::apiserver
