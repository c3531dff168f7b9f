// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/convert.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// Catalogue is that of this version.
const crds::PluginCatalogueView& Catalogue();

// Converted gives what a text (JSON or YAML) is converted to; a failure is one of the test.
Conversion ConversionOf(std::string_view text, const Options& options = {.source = "file.yaml"});

// ErrorOf gives why a text is not converted; "" if it is.
std::string ErrorOf(std::string_view text, const Options& options = {.source = "file.yaml"});

// ListsOf shows plugin lists in one line, points that have none left out: "filter: NodeName,
// NodePorts; score: ImageLocality=2, -NodeAffinity". A minus is before what is disabled.
std::string ListsOf(const crds::SchedulerProfileSpec& spec);

// ArgsIn shows all arguments in one line: `NodeLabel {"presentLabels":["a"]}`.
std::string ArgsIn(const crds::SchedulerProfileSpec& spec);

// ReportOf is the findings, a line each.
std::string ReportOf(const Conversion& conversion);

// ErrorsIn gives what this version's validation says of a profile; a line each.
std::string ErrorsIn(const crds::SchedulerProfile& profile);

// InputText reads a file of tests/convert/inputs.
std::string InputText(const std::string& file);

}  // namespace berth::convert
