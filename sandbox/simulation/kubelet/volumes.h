// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "api/pod.h"
#include "base/clock.h"
#include "base/error.h"
#include "sandbox/simulation/kubelet/pod_sources.h"

namespace berth::simulation {

// PodVolumes writes the volumes of one pod as files, each to <root>/<volume>, and keeps them up to
// date: current ConfigMaps and Secrets, tokens renewed after four fifths of their lifetime. For one
// thread at a time.
class PodVolumes {
 public:
  // Requires: sources and clock outlive this.
  PodVolumes(std::string root, PodSources& sources, const Clock& clock)
      : root_(std::move(root)), sources_(sources), clock_(clock) {}
  // Removes the files.
  ~PodVolumes();
  PodVolumes(const PodVolumes&) = delete;
  PodVolumes& operator=(const PodVolumes&) = delete;

  const std::string& root() const { return root_; }

  // Updates all files; each file is replaced atomically. Errors name the volume and the object it
  // refers to, or a type of volume that is not simulated.
  Result<void> Write(const api::Pod& pod);

 private:
  using Files = std::map<std::string, std::string>;  // path below the volume: content

  struct IssuedToken {
    std::string token;
    SteadyTime renew_at;
  };

  // `source` is a volume or a projection: its selected keys, and whether they are optional.
  template <class Source>
  Result<Files> FromConfigMap(const std::string& ns, const std::string& name, const Source& source);
  template <class Source>
  Result<Files> FromSecret(const std::string& ns, const std::string& name, const Source& source);
  Result<Files> FilesOf(const api::Volume& volume, const api::Pod& pod);
  Result<Files> FilesOf(const api::VolumeProjection& projection, const std::string& volume,
                        const api::Pod& pod);
  Result<std::string> TokenFor(const api::ServiceAccountTokenProjection& projection,
                               const std::string& volume, const api::Pod& pod);
  Result<void> WriteFiles(const std::string& volume, const Files& files) const;

  const std::string root_;
  PodSources& sources_;
  const Clock& clock_;
  std::map<std::string, IssuedToken> tokens_;  // by volume and path
};

}  // namespace berth::simulation
