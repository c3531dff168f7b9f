// SPDX-License-Identifier: Apache-2.0
#include "api/meta.h"

namespace berth::api {
namespace {

// Most names are DNS names, but names of roles may contain any character allowed in a path segment.
void AppendSegment(std::string_view segment, std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  static constexpr std::string_view kPlain = "-._~:@!$&'()*+,;=";
  path += '/';
  for (const char c : segment) {
    const bool alphanumeric =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || kPlain.find(c) != std::string_view::npos) {
      path += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      path += '%';
      path += kHex[byte >> 4];
      path += kHex[byte & 15];
    }
  }
}

}  // namespace

std::string ResourceInfo::ApiVersion() const {
  std::string text(group);
  if (!text.empty()) text += '/';
  return text.append(version);
}

std::string ResourceInfo::Path(std::string_view namespace_name, std::string_view name,
                               std::string_view subresource) const {
  std::string path = group.empty() ? "/api/" : "/apis/";
  path += ApiVersion();
  if (namespaced && !namespace_name.empty()) {
    path += "/namespaces";
    AppendSegment(namespace_name, path);
  }
  AppendSegment(plural, path);
  if (name.empty()) return path;
  AppendSegment(name, path);
  if (!subresource.empty()) AppendSegment(subresource, path);
  return path;
}

std::string KeyOf(const ObjectMeta& metadata) {
  if (metadata.namespace_.empty()) return metadata.name;
  return metadata.namespace_ + "/" + metadata.name;
}

const OwnerReference* ControllerOf(const ObjectMeta& metadata) {
  for (const OwnerReference& owner : metadata.owner_references) {
    if (owner.controller.value_or(false)) return &owner;
  }
  return nullptr;
}

}  // namespace berth::api

namespace berth::api {

const json::Type& OwnerReference::JsonType() {
  static const json::Type type = json::Describe<OwnerReference>(json::Object(
      json::Field("apiVersion", &OwnerReference::api_version),
      json::Field("kind", &OwnerReference::kind), json::Field("name", &OwnerReference::name),
      json::Field("uid", &OwnerReference::uid),
      json::Field("controller", &OwnerReference::controller),
      json::Field("blockOwnerDeletion", &OwnerReference::block_owner_deletion)));
  return type;
}

const json::Type& ObjectMeta::JsonType() {
  static const json::Type type = json::Describe<ObjectMeta>(json::Object(
      json::Field("name", &ObjectMeta::name),
      json::Field("generateName", &ObjectMeta::generate_name),
      json::Field("namespace", &ObjectMeta::namespace_), json::Field("uid", &ObjectMeta::uid),
      json::Field("resourceVersion", &ObjectMeta::resource_version),
      json::Field("generation", &ObjectMeta::generation),
      json::Field("creationTimestamp", &ObjectMeta::creation_timestamp),
      json::Field("deletionTimestamp", &ObjectMeta::deletion_timestamp),
      json::Field("deletionGracePeriodSeconds", &ObjectMeta::deletion_grace_period_seconds),
      json::Field("labels", &ObjectMeta::labels),
      json::Field("annotations", &ObjectMeta::annotations),
      json::Field("ownerReferences", &ObjectMeta::owner_references).ListMap("uid"),
      json::Field("finalizers", &ObjectMeta::finalizers).ListSet()));
  return type;
}

const json::Type& ObjectHeader::JsonType() {
  static const json::Type type = json::Describe<ObjectHeader>(json::Object(
      json::Field("apiVersion", &ObjectHeader::api_version),
      json::Field("kind", &ObjectHeader::kind), json::Field("metadata", &ObjectHeader::metadata)));
  return type;
}

const json::Type& ListMeta::JsonType() {
  static const json::Type type = json::Describe<ListMeta>(
      json::Object(json::Field("resourceVersion", &ListMeta::resource_version),
                   json::Field("continue", &ListMeta::continue_),
                   json::Field("remainingItemCount", &ListMeta::remaining_item_count)));
  return type;
}

const json::Type& StatusCause::JsonType() {
  static const json::Type type = json::Describe<StatusCause>(json::Object(
      json::Field("reason", &StatusCause::reason), json::Field("message", &StatusCause::message),
      json::Field("field", &StatusCause::field)));
  return type;
}

const json::Type& StatusDetails::JsonType() {
  static const json::Type type = json::Describe<StatusDetails>(json::Object(
      json::Field("name", &StatusDetails::name), json::Field("group", &StatusDetails::group),
      json::Field("kind", &StatusDetails::kind), json::Field("uid", &StatusDetails::uid),
      json::Field("causes", &StatusDetails::causes),
      json::Field("retryAfterSeconds", &StatusDetails::retry_after_seconds)));
  return type;
}

const json::Type& Status::JsonType() {
  static const json::Type type = json::Describe<Status>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Status"),
                   json::Field("status", &Status::status), json::Field("code", &Status::code),
                   json::Field("reason", &Status::reason), json::Field("message", &Status::message),
                   json::Field("details", &Status::details)));
  return type;
}

const json::Type& WatchEvent::JsonType() {
  static const json::Type type = json::Describe<WatchEvent>(json::Object(
      json::Field("type", &WatchEvent::type), json::Field("object", &WatchEvent::object)));
  return type;
}

const json::Type& Condition::JsonType() {
  static const json::Type type = json::Describe<Condition>(json::Object(
      json::Field("type", &Condition::type).Doc("Type of the condition.").MaxLength(316).Required(),
      json::Field("status", &Condition::status)
          .Doc("Whether the condition holds.")
          .OneOf("True|False|Unknown")
          .Required(),
      json::Field("observedGeneration", &Condition::observed_generation)
          .Doc("Generation of the profile that the condition describes.")
          .Min(0),
      json::Field("lastTransitionTime", &Condition::last_transition_time)
          .Doc("Time of the last change of status.")
          .Required(),
      json::Field("reason", &Condition::reason)
          .Doc("Reason for programs, in CamelCase.")
          .MinLength(1)
          .MaxLength(1024)
          .Required(),
      json::Field("message", &Condition::message)
          .Doc("Explanation with names and values.")
          .MaxLength(32768)
          .Required()));
  return type;
}

const json::Type& LabelSelectorRequirement::JsonType() {
  static const json::Type type = json::Describe<LabelSelectorRequirement>(json::Object(
      json::Field("key", &LabelSelectorRequirement::key)
          .Doc("Label key.")
          .MaxLength(317)
          .Required(),
      json::Field("operator", &LabelSelectorRequirement::op)
          .Doc("Relation of the label to values.")
          .OneOf("In|NotIn|Exists|DoesNotExist")
          .Required(),
      json::Field("values", &LabelSelectorRequirement::values)
          .Doc("Values: at least one for In and NotIn, none for Exists and DoesNotExist.")
          .MaxItems(64)
          .ItemMaxLength(63)));
  return type;
}

const json::Type& LabelSelector::JsonType() {
  static const json::Type type = json::Describe<LabelSelector>(
      json::Object(json::Field("matchLabels", &LabelSelector::match_labels)
                       .Doc("Labels that must have exactly these values.")
                       .MaxItems(64)
                       .ItemMaxLength(63),
                   json::Field("matchExpressions", &LabelSelector::match_expressions)
                       .Doc("Requirements on labels; all must hold, besides matchLabels.")
                       .MaxItems(64))
          .Atomic());
  return type;
}

const json::Type& Preconditions::JsonType() {
  static const json::Type type = json::Describe<Preconditions>(
      json::Object(json::Field("uid", &Preconditions::uid),
                   json::Field("resourceVersion", &Preconditions::resource_version)));
  return type;
}

const json::Type& DeleteOptions::JsonType() {
  static const json::Type type = json::Describe<DeleteOptions>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "DeleteOptions"),
                   json::Field("gracePeriodSeconds", &DeleteOptions::grace_period_seconds),
                   json::Field("preconditions", &DeleteOptions::preconditions),
                   json::Field("propagationPolicy", &DeleteOptions::propagation_policy),
                   json::Field("dryRun", &DeleteOptions::dry_run)));
  return type;
}

const json::Type& ObjectReference::JsonType() {
  static const json::Type type = json::Describe<ObjectReference>(json::Object(
      json::Field("apiVersion", &ObjectReference::api_version),
      json::Field("kind", &ObjectReference::kind),
      json::Field("namespace", &ObjectReference::namespace_),
      json::Field("name", &ObjectReference::name), json::Field("uid", &ObjectReference::uid),
      json::Field("resourceVersion", &ObjectReference::resource_version),
      json::Field("fieldPath", &ObjectReference::field_path)));
  return type;
}

const json::Type& LocalObjectReference::JsonType() {
  static const json::Type type = json::Describe<LocalObjectReference>(
      json::Object(json::Field("name", &LocalObjectReference::name)
                       .Doc("Name of the object, in the same namespace.")
                       .MaxLength(253)));
  return type;
}

}  // namespace berth::api
