// SPDX-License-Identifier: Apache-2.0
#include "crds/extender.h"

namespace berth::crds {

const json::Type& ExtenderTls::JsonType() {
  static const json::Type type = json::Describe<ExtenderTls>(json::Object(
      json::Inherit<ExtenderTls, api::ExtenderTlsConfig>(),
      json::Field("secretName", &ExtenderTls::secret_name)
          .Doc("Secret in spec.namespace with tls.crt and tls.key, and with ca.crt unless caData "
               "or caFile is set; it is mounted into the scheduler's pods.")
          .MaxLength(253)));
  return type;
}

const json::Type& Extender::JsonType() {
  static const json::Type type = json::Describe<Extender>(
      json::Object(
          json::Inherit<Extender, api::ExtenderCalls>(),
          json::Field("weight", &Extender::weight)
              .Doc("Weight of the scores that prioritize returns; positive if "
                   "prioritizeVerb is set.")
              .Min(0)
              .Max(2147483647),
          json::Field("tlsConfig", &Extender::tls_config).Doc("TLS settings of the calls."))
          .Rule("!has(self.prioritizeVerb) || self.prioritizeVerb == '' || (has(self.weight) && "
                "self.weight > 0)",
                kWeightNeeded));
  return type;
}

}  // namespace berth::crds
