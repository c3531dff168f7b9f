// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace berth {

// Rare is an optional that takes two words if absent, for rarely used fields; std::optional always
// takes the space of its content. Copies share the content copy-on-write: Edit() makes a private
// copy first. Equality compares contents. Thread rule: as for std::optional, although copies in
// other threads share the content.
template <class T>
class Rare {
 public:
  using value_type = T;

  Rare() = default;
  Rare(T content)
      : content_(std::make_shared<T>(std::move(content))) {}  // NOLINT: as std::optional

  bool has_value() const { return content_ != nullptr; }
  explicit operator bool() const { return has_value(); }

  // Requires: has_value().
  const T& operator*() const { return *content_; }
  const T* operator->() const { return content_.get(); }
  const T& value() const { return *content_; }

  // Returns the content, or T's default if absent.
  const T& ValueOrDefault() const {
    static const T kDefault{};
    return content_ ? *content_ : kDefault;
  }

  // Replaces the content with an unshared default and returns a reference for filling it.
  T& emplace() {
    content_ = std::make_shared<T>();
    return *content_;
  }

  // Returns the content for modification. Creates it if absent and copies it if shared.
  T& Edit() {
    if (content_ == nullptr) {
      content_ = std::make_shared<T>();
    } else if (content_.use_count() > 1) {
      content_ = std::make_shared<T>(std::as_const(*content_));
    }
    return *content_;
  }

  void reset() { content_.reset(); }

  bool operator==(const Rare& other) const {
    if (content_ == other.content_) return true;
    return content_ != nullptr && other.content_ != nullptr && *content_ == *other.content_;
  }

 private:
  std::shared_ptr<T> content_;
};

}  // namespace berth
