// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/subresources/subresources.h"
#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Source: pkg/registry/core/serviceaccount/storage/token.go, pkg/apis/authentication/validation.

constexpr int64_t kShortest = 600;
constexpr int64_t kLongest = int64_t{1} << 32;
const GroupResource kResource{"authentication.k8s.io", "TokenRequest"};

// TokenRequest is only a subresource, so the registry does not know it.
KindPtr TokenRequestKind() {
  static const KindPtr kKind = [] {
    auto kind = std::make_shared<KindInfo>();
    kind->group = "authentication.k8s.io";
    kind->version = "v1";
    kind->kind = "TokenRequest";
    kind->stored = false;
    kind->schema = BuiltinSchemas::Get().FindKind(kind->Gvk());
    return kind;
  }();
  return kKind;
}

// Checks the metadata of a request against its account, and fills it in.
Answer<void> SettleMetadata(const WriteCall& call, const Metadata& account, json& request) {
  json& metadata = request["metadata"];
  const auto differs = [&](const char* field, const std::string& truth) {
    const std::string said = metadata.value(field, "");
    return !said.empty() && said != truth;
  };
  if (differs("name", account.name)) {
    const Errors errors = {
        FieldError::InvalidJson("metadata.name", DocumentText(json(metadata["name"])),
                                "must match the service account name if specified")};
    return Reject(Invalid(kResource.group, kResource.resource, call.name, errors));
  }
  if (differs("uid", account.uid)) {
    return Reject(Conflict(kResource, call.name,
                           "the UID in the token request (" + metadata.value("uid", "") +
                               ") does not match the UID of the service account (" + account.uid +
                               ")"));
  }
  metadata["name"] = account.name;
  metadata["namespace"] = account.namespace_;
  metadata["uid"] = account.uid;
  return {};
}

Answer<void> CheckLifetime(int64_t seconds) {
  const auto reject = [&](const char* why) {
    const Errors errors = {
        FieldError::InvalidJson("spec.expirationSeconds", std::to_string(seconds), why)};
    return Reject(Invalid(kResource.group, kResource.resource, "", errors));
  };
  if (seconds < kShortest) return reject("may not specify a duration less than 10 minutes");
  if (seconds > kLongest) return reject("may not specify a duration larger than 2^32 seconds");
  return {};
}

Answer<ObjectPtr> FindBound(State& state, const char* resource, const std::string& name_space,
                            const std::string& name) {
  const Collection* collection = state.store.Find(resource);
  ObjectPtr found = collection == nullptr ? nullptr : collection->Find(name_space, name);
  if (found == nullptr) return Reject(NotFound({"", resource}, name));
  return found;
}

ObjectRef RefTo(const Object& object) { return {object.metadata.name, object.metadata.uid}; }

// The pod must run as the account. The token also names the pod's node; by name only if the node
// does not exist.
Answer<void> BindToPod(State& state, const WriteCall& call, const Object& found,
                       TokenSubject& subject) {
  const json pod = ReadDocument(found.text);
  if (TextAt(pod, "spec/serviceAccountName") != call.name) {
    return Reject(BadRequest("cannot bind token for serviceaccount " + Quoted(call.name) +
                             " to pod running with different serviceaccount name."));
  }
  subject.pod = RefTo(found);
  const std::string node = TextAt(pod, "spec/nodeName");
  if (node.empty()) return {};
  const auto known = FindBound(state, "nodes", "", node);
  subject.node = known ? RefTo(**known) : ObjectRef{node, ""};
  return {};
}

Answer<void> Bind(State& state, const WriteCall& call, const json& reference,
                  TokenSubject& subject) {
  const auto kind =
      GroupVersionKind::Of(reference.value("apiVersion", ""), reference.value("kind", ""));
  if (!kind.group.empty() || kind.kind != "Pod")
    return Reject(NotImplemented("a token that is bound to another kind than Pod"));
  const auto found = FindBound(state, "pods", call.namespace_, reference.value("name", ""));
  if (!found) return Reject(found.error());
  if (auto ok = BindToPod(state, call, **found, subject); !ok) return ok;
  const std::string uid = reference.value("uid", "");
  if (uid.empty() || uid == (*found)->metadata.uid) return {};
  return Reject(Conflict({kind.group, kind.kind}, reference.value("name", ""),
                         "the UID in the bound object reference (" + uid +
                             ") does not match the UID in record. The object might have been "
                             "deleted and then recreated"));
}

TokenOptions TermsOf(State& state, const json& spec) {
  const Time now = state.clock.Wall();
  const int64_t seconds = IntAt(spec, "expirationSeconds");
  return {.audiences = spec["audiences"].get<std::vector<std::string>>(),
          .now = now,
          .expires = now + std::chrono::seconds(seconds),
          .id = state.random.Uid()};
}

}  // namespace

Answer<json> RequestToken(State& state, const WriteCall& call, json request) {
  WriteCall own = call;
  own.kind = TokenRequestKind();
  const auto admitted = AdmitDocument(*own.kind, call.options.validation, *call.warnings, request);
  if (!admitted) return Reject(admitted.error());
  own.name.clear();  // a different name is handled below
  if (const auto ok = Writer(state).CheckIdentity(own, request); !ok) return Reject(ok.error());
  const Time now = state.clock.Wall();
  RecordUpdate(FieldWriteOf(own, now, true), json::object(), &request);
  const ObjectPtr account = state.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (account == nullptr) return Reject(Writer(state).NotFoundError(call));
  if (const auto ok = SettleMetadata(call, account->metadata, request); !ok)
    return Reject(ok.error());
  request["metadata"]["creationTimestamp"] = now.ToString();

  json& spec = request["spec"];
  if (const json* audiences = At(spec, "audiences"); audiences == nullptr || audiences->empty())
    spec["audiences"] = json::array({kIssuer});
  if (const auto ok = CheckLifetime(IntAt(spec, "expirationSeconds")); !ok)
    return Reject(ok.error());
  TokenSubject subject{.namespace_ = call.namespace_,
                       .account = RefTo(*account),
                       .pod = std::nullopt,
                       .node = std::nullopt};
  const json& reference = spec["boundObjectRef"];
  if (reference.is_object()) {
    if (const auto ok = Bind(state, call, reference, subject); !ok) return Reject(ok.error());
  }
  const Time until = now + std::chrono::seconds(IntAt(spec, "expirationSeconds"));
  request["status"] = {{"token", state.tokens.Issue(subject, TermsOf(state, spec))},
                       {"expirationTimestamp", until.ToString()}};
  return request;
}

}  // namespace berth::apiserver
