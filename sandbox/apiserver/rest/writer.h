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

// WriteCall describes a write: the object and the user.
struct WriteCall {
  KindPtr kind;
  std::string namespace_, name, subresource;
  const UserInfo* user = nullptr;
  WriteOptions options;
  std::vector<std::string>* warnings = nullptr;
};

// Written is the result of a write.
struct Written {
  std::string text;      // the object as returned to the client, compact JSON
  bool created = false;  // 201
};

// Whether a write by the server itself is recorded in metadata.managedFields. Most are. Writes for
// documents that are not part of the object (a binding, an eviction) are not, as upstream.
enum class Ownership { kRecorded, kUntouched };

// AdmissionView is the input of admission for a write through a subresource with its own kind: the
// documents of that kind.
struct AdmissionView {
  const nlohmann::json& old;
  const nlohmann::json& now;
};

// Writer executes writes: it takes a client's document through defaulting, strategy, managed
// fields, admission and validation into the store. Source: apiserver
// pkg/registry/generic/registry/store.go and pkg/endpoints/handlers.
class Writer {
 public:
  explicit Writer(State& state) : state_(state) {}

  Answer<Written> Create(const WriteCall& call, nlohmann::json document);
  Answer<Written> Update(const WriteCall& call, nlohmann::json document);
  // `type` is the media type of the patch.
  Answer<Written> Patch(const WriteCall& call, std::string_view type, const std::string& body);

  // Returns the object if the kind does so or if deletion is delayed, otherwise the Status Success.
  Answer<Written> Delete(const WriteCall& call, const DeleteOptions& options);
  // Delete for a caller that has already run admission and checked the preconditions.
  Answer<Written> Discard(const WriteCall& call, const DeleteOptions& options);

  // Writes on behalf of the server: `change` modifies the live document, and its error aborts the
  // write. Skips admission and validation.
  Answer<Written> Change(const WriteCall& call,
                         const std::function<Answer<void>(nlohmann::json&)>& change,
                         Ownership ownership = Ownership::kRecorded);

  // Finishes an update or a patch of a subresource with the new document. The document's
  // resourceVersion, if set, must be the live one. `applied`: the managed fields are recorded
  // already. `view`: null if admission reads the object itself.
  Answer<Written> Adopt(const WriteCall& call, const ObjectPtr& live, const nlohmann::json& old,
                        nlohmann::json document, bool applied, const AdmissionView* view = nullptr);

  // The steps from a client's document to a new one, for subresources with a kind of their own
  // (`call.kind`). Patched applies a patch other than apply to `old` and decodes the result
  // (DecodeDocument). CheckIdentity compares name and namespace with the request, and fills in the
  // namespace.
  Answer<nlohmann::json> Patched(const WriteCall& call, std::string_view type,
                                 const std::string& body, const nlohmann::json& old) const;
  // Patched for a server-side apply; `old` is null for a new object.
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
  // CreateDecoded continues with a decoded document; it clears the fields that the server sets.
  Answer<Written> CreateDecoded(const WriteCall& call, nlohmann::json document);
  Answer<Written> CreatePrepared(const WriteCall& call, nlohmann::json document);
  Answer<Written> ApplyPatch(const WriteCall& call, const std::string& body, const ObjectPtr& live);
  // Writes a new state, or removes the object if its last finalizer is gone.
  Answer<Written> Store(const WriteCall& call, const ObjectPtr& live, nlohmann::json document);
  Answer<Written> Put(const WriteCall& call, const ObjectPtr& live, nlohmann::json document);
  Answer<Written> Remove(const WriteCall& call, const ObjectPtr& live, bool dry_run);
  std::string Text(const KindInfo& kind, const std::string& text) const;

  State& state_;
};

// Notifies the parts of the state that derive from objects about a change: `before` is null for a
// new object, `now` for a deleted one. Called after each write.
void RecordChange(State& state, const KindInfo& kind, const nlohmann::json* now,
                  const Object* before);

// Decodes an object of the store.
nlohmann::json ReadObject(const Object& object);

// Returns the FieldWrite of a call.
FieldWrite FieldWriteOf(const WriteCall& call, Time now, bool creating);

// Returns the error text for a write to another object with the same name.
std::string UidMismatch(const std::string& wanted, const std::string& found);

// Compares an object with the preconditions of a deletion.
Answer<void> CheckPreconditions(const WriteCall& call, const DeleteOptions& options,
                                const Object& live);

// Returns the values of a kind's selectable fields in a document.
std::vector<std::string> FieldValues(const KindInfo& kind, const nlohmann::json& document);

}  // namespace berth::apiserver
