// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apiserver/admission/admission.h"
#include "apiserver/patch/field_manager.h"
#include "apiserver/rest/request_options.h"
#include "apiserver/state.h"

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

  // Change is how the server itself writes: `change` gets the live document. Neither admission nor
  // validation is asked. Who owns which field is recorded, but for a binding, as upstream. An error
  // of `change` stops it.
  Answer<Written> Change(const WriteCall& call,
                         const std::function<Answer<void>(nlohmann::json&)>& change);

  // Adopt is the rest of an update once the new document stands: what a patch of a sub-resource
  // uses, too. The document's resourceVersion, if it has one, must be the live one. `applied`: its
  // managed fields are kept already.
  Answer<Written> Adopt(const WriteCall& call, const ObjectPtr& live, const nlohmann::json& old,
                        nlohmann::json document, bool applied);

  StatusError NotFoundError(const WriteCall& call) const;

 private:
  AdmissionRequest RequestOf(const WriteCall& call, const char* operation,
                             const nlohmann::json* old) const;
  void StampNew(const WriteCall& call, nlohmann::json& document);
  Answer<void> CheckIdentity(const WriteCall& call, nlohmann::json& document) const;
  Answer<Written> CreatePrepared(const WriteCall& call, nlohmann::json document);
  Answer<nlohmann::json> Patched(const WriteCall& call, std::string_view type,
                                 const std::string& body, const nlohmann::json& old) const;
  Answer<Written> ApplyPatch(const WriteCall& call, const std::string& body, const ObjectPtr& live);
  Answer<Written> Store(const WriteCall& call, const ObjectPtr& live, nlohmann::json document);
  Answer<Written> Remove(const WriteCall& call, const ObjectPtr& live, bool dry_run);
  Answer<Written> Linger(const WriteCall& call, const ObjectPtr& live, nlohmann::json document,
                         int64_t grace, bool dry_run);
  std::string Text(const KindInfo& kind, const std::string& text) const;

  State& state_;
};

// NoteChange tells the parts of the state that are made from objects that one of a kind changed:
// `now` or `before` is null when it came or went. Called after each write.
void NoteChange(State& state, const KindInfo& kind, const nlohmann::json* now,
                const nlohmann::json* before);

// FieldWriteOf describes a write to those who keep managed fields.
FieldWrite FieldWriteOf(const WriteCall& call, Time now, bool creating);

// UidMismatch is why a write meant for another object of that name is refused, in etcd's words.
std::string UidMismatch(const WriteCall& call, const std::string& wanted, const std::string& found);

// FieldValues are the values of a kind's selectable fields in a document.
std::vector<std::string> FieldValues(const KindInfo& kind, const nlohmann::json& document);

}  // namespace berth::apiserver
