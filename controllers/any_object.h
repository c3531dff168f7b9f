// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "api/meta.h"
#include "base/json/json.h"
#include "controllers/object_key.h"

namespace berth::controllers {

// AnyObject is an API object of one of the kinds that controllers write or watch: a struct that is
// shared and never changes, and what its kind is. It becomes text only where it is sent or printed.
// Copying it is cheap; thread safe.
class AnyObject {
 public:
  AnyObject() = default;  // none: only to be assigned to

  template <class T>
  explicit AnyObject(std::shared_ptr<const T> object)
      : kind_(&kKindOf<T>), object_(std::move(object)) {}

  template <class T>
  static AnyObject Of(T object) {
    return AnyObject(std::make_shared<const T>(std::move(object)));
  }

  // Read decodes a T. Errors: the text is none.
  template <class T>
  static Result<AnyObject> Read(std::string_view text) {
    BERTH_TRY(T object, json::Decode<T>(text));
    return Of(std::move(object));
  }

  const api::ResourceInfo& resource() const { return *kind_->resource; }
  const api::ObjectMeta& metadata() const { return kind_->metadata(object_.get()); }
  ObjectKey key() const { return {kind_->resource, metadata().namespace_, metadata().name}; }

  // The description of the struct, and the struct, for those who walk it.
  const json::Type& type() const { return kind_->type(); }
  const void* data() const { return object_.get(); }

  // As gives the struct; nullptr when it is no T.
  template <class T>
  std::shared_ptr<const T> As() const {
    if (kind_ != &kKindOf<T>) return nullptr;
    return std::static_pointer_cast<const T>(object_);
  }

  std::string Json() const;  // canonical

  // WithUid is a copy that names the one object it is meant for; WithVersion, the version of it.
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
};

// Part is what an object is to its scheduler: what may be written before what follows from it.
enum class Part {
  kAside,          // none of the others waits for it
  kAccess,         // account, roles and bindings: all of them before what runs with them
  kConfiguration,  // waits for access: its plugins need it at once
  kPods,           // waits for access; a change replaces running pods
};

// RenderedObject is an object as it should be: exactly the fields we own.
struct RenderedObject {
  ObjectKey key;
  AnyObject object;
  std::string hash;  // of its text without the annotation that carries the hash
  Part part = Part::kAside;
};

}  // namespace berth::controllers
