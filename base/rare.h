// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace berth {

// Rare is an optional value that costs two words where it is absent, for the parts that few objects
// have: std::optional pays for its content always. Copies share the content, which nobody changes;
// Edit() gives the holder one of its own first. Equality compares contents. Thread rule: as for
// std::optional, although copies in other threads share the content.
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

  // ValueOrDefault reads through absence: what an absent struct means is its default.
  const T& ValueOrDefault() const {
    static const T kDefault{};
    return content_ ? *content_ : kDefault;
  }

  // emplace replaces the content by a default one that is not shared; the reference serves to fill
  // it.
  T& emplace() {
    content_ = std::make_shared<T>();
    return *content_;
  }

  // Edit gives the content for changing; it makes it where absent and copies it where shared.
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
