// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/patch/field_manager.h"
#include "sandbox/apiserver/patch/ownership.h"
#include "sandbox/apiserver/patch/patch_failure.h"
#include "sandbox/apiserver/patch/typed.h"
#include "sandbox/apiserver/schema/defaults.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr size_t kMaxLastAppliedBytes = 256 * 1024;

std::string TextField(const json& object, const char* field) {
  const auto at = object.find(field);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// "apps/v1, Kind=Deployment"; in the core group "/v1, Kind=Pod"
std::string KindText(const json& object) {
  std::string version = TextField(object, "apiVersion");
  if (version.find('/') == std::string::npos) version.insert(0, "/");
  return version + ", Kind=" + TextField(object, "kind");
}

// "default/web; apps/v1, Kind=Deployment"
std::string Describe(const json& object) {
  const auto metadata = object.find("metadata");
  const json& meta = metadata != object.end() && metadata->is_object() ? *metadata : object;
  return TextField(meta, "namespace") + "/" + TextField(meta, "name") + "; " + KindText(object);
}

std::string ConflictMessage(const std::vector<FieldConflict>& conflicts) {
  if (conflicts.size() == 1)
    return "Apply failed with 1 conflict: " + conflicts[0].Message() + ": " + conflicts[0].field;
  std::string text = "Apply failed with " + std::to_string(conflicts.size()) + " conflicts: ";
  const ManagerId* owner = nullptr;
  for (const FieldConflict& conflict : conflicts) {
    if (owner == nullptr || !(*owner == conflict.owner)) {
      if (owner != nullptr) text += '\n';
      text += "conflicts with " + conflict.owner.ToString() + ":";
      owner = &conflict.owner;
    }
    text += "\n- " + conflict.field;
  }
  return text;
}

const std::string* LastApplied(const json& object) {
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return nullptr;
  const auto annotations = metadata->find("annotations");
  if (annotations == metadata->end() || !annotations->is_object()) return nullptr;
  const auto at = annotations->find(kLastApplied);
  if (at == annotations->end() || !at->is_string()) return nullptr;
  const auto& text = at->get_ref<const std::string&>();
  return text.empty() ? nullptr : &text;
}

// Apply is one apply, from the entries of the live object to the object to store.
class Apply {
 public:
  Apply(const FieldWrite& write, const json& live, const json& applied, ManagedFields managed)
      : write_(write),
        schema_(*write.schema),
        live_(live),
        applied_(applied),
        managed_(std::move(managed)),
        self_{write.manager.empty() ? "unknown" : write.manager, true, {}, write.subresource} {}

  // Returns the object, or nullopt if other managers own a field that it would change.
  std::optional<json> Run(bool force) {
    managed_.FollowSchema(schema_);
    const ManagedEntry* previous = managed_.Find(self_);
    const FieldSet last = previous != nullptr ? previous->fields : FieldSet();
    FieldSet fields = FieldsOf(schema_, applied_);
    if (write_.reset != nullptr) fields.SubtractRecursively(*write_.reset);
    managed_.Entry(self_, write_.kind.ApiVersion()).fields = std::move(fields);

    json merged = Prune(MergeTyped(schema_, live_, applied_), last);
    FieldChanges changes = Compare(schema_, live_, merged);
    const bool is_changed = live_ != merged;
    DropUnowned(write_, &changes);
    FieldSet taken = std::move(changes.added);
    taken.Unite(changes.modified);
    if (!force && FindConflicts(taken)) return std::nullopt;
    for (ManagedEntry& entry : managed_.entries()) {
      if (entry.id == self_) continue;
      entry.Subtract(taken);
      entry.Subtract(changes.removed);
    }
    managed_.DropEmpty();
    Finish(is_changed);
    Store(&merged);
    return merged;
  }

  std::vector<FieldConflict> TakeConflicts() { return std::move(conflicts_); }
  const FieldSet& conflicting() const { return conflicting_; }

  void DropConflicts(const FieldSet& allowed) {
    size_t kept = 0;
    for (size_t i = 0; i < conflicts_.size(); ++i)
      if (!allowed.Has(conflict_paths_[i])) std::swap(conflicts_[kept++], conflicts_[i]);
    conflicts_.erase(conflicts_.begin() + static_cast<std::ptrdiff_t>(kept), conflicts_.end());
  }

 private:
  // Removes the fields from `merged` that the writer applied last time and not now, unless another
  // manager owns them or a field below them.
  json Prune(json merged, const FieldSet& last) const {
    if (last.Empty()) return merged;
    const FieldSet before = last.WithNamedFields(schema_);
    const FieldSet all = FieldsOf(schema_, merged).WithNamedFields(schema_);
    json pruned = RemoveFields(schema_, merged, before);

    FieldSet owned;
    for (const ManagedEntry& entry : managed_.entries()) owned.Unite(entry.fields);
    FieldSet gone = all;
    gone.Subtract(FieldsOf(schema_, pruned).WithNamedFields(schema_));
    gone.Subtract(owned.WithNamedFields(schema_));
    pruned = RemoveFields(schema_, merged, gone);

    // Removing an item also removed fields that the writer never owned; they stay if they can exist
    // alone.
    gone = all;
    gone.Subtract(FieldsOf(schema_, pruned).WithNamedFields(schema_));
    return RemoveFields(schema_, merged, gone.Intersection(before));
  }

  bool FindConflicts(const FieldSet& taken) {
    std::vector<const ManagedEntry*> entries;
    for (const ManagedEntry& entry : managed_.entries())
      if (!(entry.id == self_)) entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(), [](const ManagedEntry* a, const ManagedEntry* b) {
      return a->id.ToString() < b->id.ToString();
    });
    for (const ManagedEntry* entry : entries) {
      const FieldSet both = entry->fields.Intersection(taken);
      both.ForEach([&](const FieldPath& path) {
        conflicts_.push_back({entry->id, ToString(path)});
        conflict_paths_.push_back(path);
      });
      conflicting_.Unite(both);
    }
    return !conflicts_.empty();
  }

  // Finishes the writer's own entry: removes fields that are never owned; sets the time if the
  // object changed.
  void Finish(bool is_changed) {
    ManagedEntry* own = managed_.Find(self_);
    if (own == nullptr) return;
    StripUnownable(&own->fields);
    if (is_changed) own->time = write_.now;
    managed_.DropEmpty();
  }

  void Store(json* merged) {
    json& metadata = (*merged)["metadata"];
    TakeManagedFields(&metadata);
    if (json encoded = std::move(managed_).Encode(); !encoded.is_null())
      metadata["managedFields"] = std::move(encoded);
  }

  const FieldWrite& write_;
  const Schema& schema_;
  const json& live_;
  const json& applied_;
  ManagedFields managed_;
  const ManagerId self_;
  std::vector<FieldConflict> conflicts_;
  std::vector<FieldPath> conflict_paths_;  // of conflicts_
  FieldSet conflicting_;
};

// Returns the fields that client-side apply set and that have not changed since: kubectl may take
// them over without force.
std::optional<FieldSet> OwnedByClientSideApply(const FieldWrite& write, const json& live) {
  const std::string* text = LastApplied(live);
  if (text == nullptr) return std::nullopt;
  const json last = ReadDocument(*text);
  if (!last.is_object() || TextField(last, "apiVersion") != write.kind.ApiVersion())
    return std::nullopt;
  FieldSet fields = FieldsOf(*write.schema, last);
  const FieldChanges changes = Compare(*write.schema, last, live);
  fields.Subtract(changes.modified);
  fields.Subtract(changes.added);
  fields.Subtract(changes.removed);
  return fields;
}

// kubectl's server-side apply keeps the annotation of client-side apply up to date.
void UpdateLastApplied(const json& applied, json* object) {
  if (LastApplied(*object) == nullptr) return;
  json written = applied;
  if (LastApplied(written) != nullptr) {
    json& annotations = written["metadata"]["annotations"];
    annotations.erase(kLastApplied);
    if (annotations.empty()) written["metadata"].erase("annotations");
  }
  std::string text = DocumentText(written) + "\n";
  if (text.size() > kMaxLastAppliedBytes) text.clear();
  (*object)["metadata"]["annotations"][kLastApplied] = std::move(text);
}

tl::unexpected<ApplyFailure> ApplyRejection(Failure failure) {
  return tl::unexpected(ApplyFailure{std::move(failure).value(), {}});
}

}  // namespace

tl::expected<json, ApplyFailure> ApplyServerSide(const FieldWrite& write, bool force,
                                                 const json& live, const json& applied) {
  const std::string version = write.kind.ApiVersion();
  if (TextField(applied, "apiVersion") != version || TextField(applied, "kind") != write.kind.kind)
    return ApplyRejection(Fail(Reason::kBadRequest, "invalid object type: " + KindText(applied)));
  if (!StoredManagedFields(applied).is_null())
    return ApplyRejection(Fail(Reason::kBadRequest, "metadata.managedFields must be nil"));
  if (const auto fits = CheckTyped(*write.schema, applied); !fits)
    return ApplyRejection(PatchFailure("failed to create typed patch object (" + Describe(applied) +
                                       "): " + fits.error().message()));

  json empty = EmptyObject(*write.schema);
  empty["apiVersion"] = version;
  empty["kind"] = write.kind.kind;
  const json& before = write.creating ? empty : live;
  auto managed = ManagedFields::Decode(StoredManagedFields(before));
  if (!managed)
    return ApplyRejection(
        PatchFailure("failed to decode managed fields: " + managed.error().message()));
  if (managed->Empty() && !write.creating) {
    // Fields from before the first tracked write belong to one collective manager.
    FieldWrite first = write;
    first.manager = "before-first-apply";
    FieldChanges changes = Compare(*write.schema, empty, before);
    DropUnowned(first, &changes);
    Own(first, std::move(changes), &*managed);
  }

  Apply apply(write, before, applied, *managed);
  std::optional<json> object = apply.Run(force);
  const bool is_kubectl = write.manager == "kubectl";
  if (!object && is_kubectl) {
    if (const std::optional<FieldSet> allowed = OwnedByClientSideApply(write, before)) {
      FieldSet left = apply.conflicting();
      left.Subtract(*allowed);
      if (left.Empty()) object = Apply(write, before, applied, std::move(*managed)).Run(true);
      apply.DropConflicts(*allowed);
    }
  }
  if (!object) {
    std::vector<FieldConflict> conflicts = apply.TakeConflicts();
    Error error(Reason::kConflict, ConflictMessage(conflicts));
    return tl::unexpected(ApplyFailure{std::move(error), std::move(conflicts)});
  }
  if (is_kubectl) UpdateLastApplied(applied, &*object);
  return std::move(*object);
}

}  // namespace berth::apiserver
