// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cel/ast.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// AskLabelSets lets comparisons of a node's labels with constants (`node.metadata.labels['a'] == 'b'`,
// `'a' in node.metadata.labels`) ask the NodeInfo that the variable `node` has as its companion: two
// symbols are compared, where the texts lie scattered in memory. Without a companion they read the
// node. An evaluation then pays for all of the constant, also where the label is shorter.
void AskLabelSets(cel::Expr& root, Vocabulary& words);

}  // namespace berth::scheduler
