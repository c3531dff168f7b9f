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

// ParseLabelSelector reads the labelSelector of a query: "app=web,tier in (a,b),!legacy,size>3".
// Errors (kBadRequest) have the text of k8s.io/apimachinery/pkg/labels.
Result<api::Selector> ParseLabelSelector(std::string_view text);

// FieldSelector is a compiled fieldSelector: "status.phase=Running,metadata.name!=a".
class FieldSelector {
 public:
  // How a field that is not selectable is refused: by what knows only metadata, or by the rules of
  // a kind.
  enum class Unknown { kNotKnown, kNotSupported };

  // Parse knows metadata.name, metadata.namespace and `fields`, the names of the selectable fields
  // of the collection in their order; an empty one has no name. Errors (kBadRequest) have the text
  // of k8s.io/apimachinery/pkg/fields; a field that is not selectable is named.
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

// Selection is which objects of a collection a list or a watch is about.
struct Selection {
  std::string namespace_;  // empty: of all namespaces
  api::Selector labels;
  FieldSelector fields;

  bool Matches(const Metadata& metadata) const {
    return (namespace_.empty() || metadata.namespace_ == namespace_) && fields.Matches(metadata) &&
           labels.Matches(metadata.labels);
  }
  // IsWhole: nothing but the namespace restricts it.
  bool IsWhole() const { return labels.IsEmpty() && fields.IsEmpty(); }
};

}  // namespace berth::apiserver
