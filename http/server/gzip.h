// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::http {

// AcceptsGzip reads an Accept-Encoding header: gzip or * is named, not with q=0.
bool AcceptsGzip(std::string_view accept_encoding);

// Gzip compresses quickly rather than well (level 1, as kube-apiserver): lists of objects shrink to
// a tenth at some 200 MB/s.
std::string Gzip(std::string_view text);

}  // namespace berth::http
