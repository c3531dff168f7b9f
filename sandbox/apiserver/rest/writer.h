// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/admission/admission.h"
#include "sandbox/apiserver/patch/field_manager.h"
#include "sandbox/apiserver/rest/request/request_options.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {

// WriteCall is who writes what.
struct WriteCall {
  KindPtr kind;
  std::string namespace_, name, subresource;
  const UserInfo* user = nullptr;
  WriteOptions options;
  std::vector<std::string>* warnings = nullptr;
};

// Written is the outcome of a write.
struct Written {
  std::string text;      // the object as the client gets it, compact JSON
  bool created = false;  // 201
};

// Whether a write of the server's own is recorded in metadata.managedFields. Most are; those of
// documents that are no part of the object (a binding, an eviction) are not, as upstream.
enum class Ownership { kRecorded, kUntouched };

// AdmissionView is what admission sees of a write through a sub-resource that has a kind of its
// own: the documents of that kind.
struct AdmissionView {
  const nlohmann::json& old;
  const nlohmann::json& now;
};

// Writer carries out writes on objects: from a document of a client to a new state in the store, by
// way of defaults, strategy, managed fields, admission and validation. Source: apiserver
// pkg/registry/generic/registry/store.go and pkg/endpoints/handlers.
class Writer {
 public:
  explicit Writer(State& state) : state_(state) {}

  Answer<Written> Create(const WriteCall& call, nlohmann::json document);
  Answer<Written> Update(const WriteCall& call, nlohmann::json document);
  // `type` is the media type of the patch.
  Answer<Written> Patch(const WriteCall& call, std::string_view type, const std::string& body);

  // Delete gives the object where the kind does so or deletion has to wait, else the Status of
  // success.
  Answer<Written> Delete(const WriteCall& call, const DeleteOptions& options);
  // Discard is Delete for a caller that has asked admission and checked the preconditions.
  Answer<Written> Discard(const WriteCall& call, const DeleteOptions& options);

  // Change is how the server itself writes: `change` gets the live document. Neither admission nor
  // validation is asked. An error of `change` stops it.
  Answer<Written> Change(const WriteCall& call,
                         const std::function<Answer<void>(nlohmann::json&)>& change,
                         Ownership ownership = Ownership::kRecorded);

  // Adopt is the rest of an update once the new document stands: what a patch of a sub-resource
  // uses, too. The document's resourceVersion, if it has one, must be the live one. `applied`: its
  // managed fields are kept already. `view`: null where admission sees the object itself.
  Answer<Written> Adopt(const WriteCall& call, const ObjectPtr& live, const nlohmann::json& old,
                        nlohmann::json document, bool applied, const AdmissionView* view = nullptr);

  // The steps by which a document of a client comes to be, for sub-resources with a kind of their
  // own: `call.kind` is that one. Patched gives `old` after a patch of a media type other than
  // apply, as a document of its kind (DecodeDocument); CheckIdentity compares name and namespace
  // with the request's and fills the namespace in.
  Answer<nlohmann::json> Patched(const WriteCall& call, std::string_view type,
                                 const std::string& body, const nlohmann::json& old) const;
  // Applied is that for a server-side apply; `old` is null for an object that is made by it.
  Answer<nlohmann::json> Applied(const WriteCall& call, const std::string& body,
                                 const nlohmann::json* old) const;
  Answer<void> CheckIdentity(const WriteCall& call, nlohmann::json& document) const;

  StatusError NotFoundError(const WriteCall& call) const;

 private:
  AdmissionRequest RequestOf(const WriteCall& call, const char* operation,
                             const nlohmann::json* old) const;
  Answer<void> CheckVersion(const WriteCall& call, const Object& live,
                            const nlohmann::json& document) const;
  void StampNew(const WriteCall& call, nlohmann::json& document);
  // CreateDecoded goes on where a document is one of its kind; what the server sets is wiped where
  // that is to be done.
  Answer<Written> CreateDecoded(const WriteCall& call, nlohmann::json document);
  Answer<Written> CreatePrepared(const WriteCall& call, nlohmann::json document);
  Answer<Written> ApplyPatch(const WriteCall& call, const std::string& body, const ObjectPtr& live);
  // Store writes a new state, or removes what only a finalizer kept that is gone in it.
  Answer<Written> Store(const WriteCall& call, const ObjectPtr& live, nlohmann::json document);
  Answer<Written> Put(const WriteCall& call, const ObjectPtr& live, nlohmann::json document);
  Answer<Written> Remove(const WriteCall& call, const ObjectPtr& live, bool dry_run);
  std::string Text(const KindInfo& kind, const std::string& text) const;

  State& state_;
};

// RecordChange tells the parts of the state that are made from objects that one of a kind changed:
// `now` or `before` is null when it came or went. Called after each write.
void RecordChange(State& state, const KindInfo& kind, const nlohmann::json* now,
                  const Object* before);

// ReadObject is an object of the store as a document.
nlohmann::json ReadObject(const Object& object);

// FieldWriteOf describes a write to those who keep managed fields.
FieldWrite FieldWriteOf(const WriteCall& call, Time now, bool creating);

// UidMismatch is why a write meant for another object of that name is refused.
std::string UidMismatch(const std::string& wanted, const std::string& found);

// CheckPreconditions compares an object with what a deletion says it is about.
Answer<void> CheckPreconditions(const WriteCall& call, const DeleteOptions& options,
                                const Object& live);

// FieldValues are the values of a kind's selectable fields in a document.
std::vector<std::string> FieldValues(const KindInfo& kind, const nlohmann::json& document);

}  // namespace berth::apiserver
