// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/labels.h"
#include "base/error.h"
#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

// Parses the labelSelector of a query: "app=web,tier in (a,b),!legacy,size>3". Errors (kBadRequest)
// have the text of k8s.io/apimachinery/pkg/labels.
Result<api::Selector> ParseLabelSelector(std::string_view text);

// FieldSelector is a compiled fieldSelector: "status.phase=Running,metadata.name!=a".
class FieldSelector {
 public:
  // The error for a field that is not selectable: the generic one, or the one of a kind.
  enum class Unknown { kNotKnown, kNotSupported };

  // Parses a selector. Selectable are metadata.name, metadata.namespace and `fields`, the names of
  // the collection's selectable fields in their order; "" has no name in this version. Errors
  // (kBadRequest) have the text of k8s.io/apimachinery/pkg/fields and name a field that is not
  // selectable.
  static Result<FieldSelector> Parse(std::string_view text, std::span<const std::string> fields,
                                     Unknown unknown = Unknown::kNotSupported);

  bool Matches(const Metadata& metadata) const;
  bool IsEmpty() const { return terms_.empty(); }

 private:
  static constexpr int kName = -1;
  static constexpr int kNamespace = -2;

  struct Term {
    int field;  // index into Metadata::fields, or one of the above
    bool equal;
    std::string value;
  };

  static std::string_view ValueOf(const Metadata& metadata, int field);

  std::vector<Term> terms_;
};

// Selection selects the objects of a list or watch.
struct Selection {
  std::string namespace_;  // empty: all namespaces
  api::Selector labels;
  FieldSelector fields;

  bool Matches(const Metadata& metadata) const {
    return (namespace_.empty() || metadata.namespace_ == namespace_) && fields.Matches(metadata) &&
           labels.Matches(metadata.labels);
  }
  // Reports whether only the namespace restricts the selection.
  bool IsWhole() const { return labels.IsEmpty() && fields.IsEmpty(); }
};

}  // namespace berth::apiserver
