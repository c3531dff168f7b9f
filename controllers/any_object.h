// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "api/meta.h"
#include "base/json/json.h"
#include "controllers/object_key.h"

namespace berth::controllers {

// AnyObject is an immutable, shared API object of one of the kinds that the controllers write or
// watch, together with its kind. It is encoded as text only to be sent or printed. Cheap to copy;
// thread safe.
class AnyObject {
 public:
  AnyObject() = default;  // empty: only to be assigned to

  template <class T>
  explicit AnyObject(std::shared_ptr<const T> object)
      : kind_(&kKindOf<T>), object_(std::move(object)) {}

  template <class T>
  static AnyObject Of(T object) {
    return AnyObject(std::make_shared<const T>(std::move(object)));
  }

  // Decodes a T and keeps the text. Errors: the text is not a T.
  template <class T>
  static Result<AnyObject> Read(std::string_view text) {
    BERTH_TRY(T object, json::Decode<T>(text));
    return Of(std::move(object)).WithText(std::make_shared<const std::string>(text));
  }

  const api::ResourceInfo& resource() const { return *kind_->resource; }
  const api::ObjectMeta& metadata() const { return kind_->metadata(object_.get()); }
  ObjectKey key() const { return {kind_->resource, metadata().namespace_, metadata().name}; }

  // The struct and its description, for code that walks its fields.
  const json::Type& type() const { return kind_->type(); }
  const void* data() const { return object_.get(); }

  // Returns the struct; nullptr if it is not a T.
  template <class T>
  std::shared_ptr<const T> As() const {
    if (kind_ != &kKindOf<T>) return nullptr;
    return std::static_pointer_cast<const T>(object_);
  }

  std::string Json() const;  // canonical

  // The text from the API server, with the fields that the struct does not know; "" if it is not
  // kept. Objects of a watch have it without metadata and status.
  const std::string& text() const;
  AnyObject WithText(std::shared_ptr<const std::string> text) const {
    AnyObject copy = *this;
    copy.text_ = std::move(text);
    return copy;
  }

  // Return a copy with a uid or resource version as the precondition of a write.
  AnyObject WithUid(std::string uid) const {
    return kind_->with(*this, &api::ObjectMeta::uid, std::move(uid));
  }
  AnyObject WithVersion(std::string version) const {
    return kind_->with(*this, &api::ObjectMeta::resource_version, std::move(version));
  }

 private:
  using Text = std::string api::ObjectMeta::*;

  struct Kind {
    const api::ResourceInfo* resource;
    json::Type::Ref type;
    const api::ObjectMeta& (*metadata)(const void* object);
    AnyObject (*with)(const AnyObject& object, Text field, std::string value);
  };

  template <class T>
  static const api::ObjectMeta& MetadataOf(const void* object) {
    return static_cast<const T*>(object)->metadata;
  }
  template <class T>
  static AnyObject CopyWith(const AnyObject& object, Text field, std::string value) {
    T copy = *object.As<T>();
    copy.metadata.*field = std::move(value);
    return Of(std::move(copy));
  }
  template <class T>
  static constexpr Kind kKindOf{&T::kResource, &json::TypeOf<T>, &MetadataOf<T>, &CopyWith<T>};

  const Kind* kind_ = nullptr;
  std::shared_ptr<const void> object_;
  std::shared_ptr<const std::string> text_;
};

// Part is the role of an object in its scheduler. It determines the order of the writes.
enum class Part {
  kAside,          // no other object waits for it
  kAccess,         // account, roles and bindings; written before the objects that use them
  kConfiguration,  // waits for access: the plugins need access when they are configured
  kPods,           // waits for access; a change replaces running pods
};

// RenderedObject is the desired state of an object: exactly the fields that the operator owns.
struct RenderedObject {
  ObjectKey key;
  AnyObject object;
  std::string hash;  // of the object's text without the hash annotation
  Part part = Part::kAside;
};

}  // namespace berth::controllers
