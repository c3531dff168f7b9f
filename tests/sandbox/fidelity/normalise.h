// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/sandbox/fidelity/case.h"

namespace berth::fidelity {

// Normaliser replaces values that differ from run to run with placeholders. They are numbered in
// the order of appearance over all steps of a case, so that "the version stayed" and "the same uid"
// are still compared: <uid 1>, <version 2>. Times near to now become <time>, tokens <token>;
// generated names keep their stem; the namespace of the case is <ns>. The version of a list and of
// a bookmark, which changes with every write in the cluster, is <version> without a number. Entries
// of managedFields are sorted by manager, and their field sets become one line of text. For one
// case; not thread safe.
class Normaliser {
 public:
  explicit Normaliser(std::string ns) : ns_(std::move(ns)) {}

  // Replaces values that can only be recognized in a whole body: of lists, tables, bookmarks,
  // generated names. Runs before any selection.
  Json Whole(Json body);
  // Replaces values in the compared part.
  Json Values(Json seen);

 private:
  void VisitWhole(Json& value);
  void VisitValues(Json& value, const std::string& key);
  std::string Text(std::string text);

  const std::string ns_;
  std::map<std::string, size_t> uids_, versions_;
  std::vector<std::pair<std::string, std::string>> generated_;  // the name and its placeholder
};

}  // namespace berth::fidelity
