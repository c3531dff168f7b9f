// SPDX-License-Identifier: Apache-2.0
#include "operator/command_line.h"

namespace berth::operator_ {

Binary BerthBinary() {
  return {.name = "berth",
          .help = "Schedulers as a Kubernetes resource: apply a SchedulerProfile, get a scheduler.",
          .commands = {OperatorCommand, SchedulerCommand, ExtenderCommand, RenderCommand,
                       ValidateCommand, ConvertCommand, PluginsCommand, EnableCommand,
                       DisableCommand, WeightCommand, KubeconfigCommand, VersionCommand}};
}

}  // namespace berth::operator_
