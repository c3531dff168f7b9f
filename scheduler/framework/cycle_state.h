// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "scheduler/framework/reason_table.h"

namespace berth::scheduler {

// CycleState stores the data that plugins compute once per pod (PreFilter, PreScore) and use for
// each node. Each value has its own type, private to the plugin; the type is the key. Lives for one
// scheduling attempt, until the end of the binding. Owned by the scheduling thread.
class CycleState {
 public:
  CycleState() = default;
  CycleState(CycleState&&) = default;
  CycleState& operator=(CycleState&&) = default;

  template <class T>
  T& Write(T value) {
    auto content = std::make_unique<Holder<T>>(std::move(value));
    T& written = content->value;
    for (Entry& entry : entries_) {
      if (entry.key == KeyOf<T>()) {
        entry.content = std::move(content);
        return written;
      }
    }
    entries_.push_back({KeyOf<T>(), std::move(content)});
    return written;
  }

  // Returns the value, or nullptr if none was written: the plugin was skipped or did not run.
  template <class T>
  const T* Read() const {
    for (const Entry& entry : entries_) {
      if (entry.key == KeyOf<T>()) return &static_cast<const Holder<T>&>(*entry.content).value;
    }
    return nullptr;
  }
  template <class T>
  T* Edit() {
    return const_cast<T*>(static_cast<const CycleState*>(this)->Read<T>());
  }
  // Returns the value and creates it if there is none. For values that several plugins add to.
  template <class T>
  T& EditOrMake() {
    T* value = Edit<T>();
    return value != nullptr ? *value : Write(T());
  }

  // Returns the table of reasons made for this attempt alone, for instance with the name of a
  // volume. The reasons live as long as the state.
  ReasonTable& reasons() {
    if (reasons_ == nullptr) reasons_ = std::make_unique<ReasonTable>();
    return *reasons_;
  }

 private:
  struct Content {
    virtual ~Content() = default;
  };
  template <class T>
  struct Holder final : Content {
    explicit Holder(T v) : value(std::move(v)) {}
    T value;
  };
  struct Entry {
    const void* key;
    std::unique_ptr<Content> content;
  };
  template <class T>
  static const void* KeyOf() {
    static const char key = 0;
    return &key;
  }

  std::vector<Entry> entries_;
  std::unique_ptr<ReasonTable> reasons_;  // null: not used yet
};

}  // namespace berth::scheduler
