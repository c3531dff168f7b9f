// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "api/node.h"
#include "scheduler/framework/node_info.h"
#include "scheduler/framework/vocabulary.h"

namespace berth::scheduler {

// ImageTable counts on how many nodes each image name is. The size is the one that the first of
// them reported; it stays when that node goes and others remain, and is read anew once none did.
// Source: kube-scheduler-core 4.1. Owned by the cache.
class ImageTable {
 public:
  explicit ImageTable(Vocabulary& words) : words_(words) {}

  // Replace takes a node's old images out and its new ones in; null stands for none. Says whether
  // any image's state changed.
  bool Replace(const api::Node* old_node, const api::Node* new_node);
  ImageState Find(Symbol name) const;
  size_t size() const { return images_.size(); }

 private:
  using Sized = std::vector<std::pair<Symbol, int64_t>>;
  // Each name once, with the size it is listed with first.
  Sized NamesOf(const api::Node* node);

  Vocabulary& words_;
  std::unordered_map<Symbol, ImageState> images_;
};

}  // namespace berth::scheduler
