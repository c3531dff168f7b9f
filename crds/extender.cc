// SPDX-License-Identifier: Apache-2.0
#include "crds/extender.h"

namespace berth::crds {

const json::Type& ExtenderTls::JsonType() {
  static const json::Type type = json::Describe<ExtenderTls>(json::Object(
      json::Field("insecure", &ExtenderTls::insecure)
          .Doc("Accept any server certificate. For tests only."),
      json::Field("serverName", &ExtenderTls::server_name)
          .Doc("Name the server certificate must carry; empty: the host of urlPrefix.")
          .MaxLength(253),
      json::Field("secretName", &ExtenderTls::secret_name)
          .Doc("Secret in spec.namespace with tls.crt, tls.key and ca.crt as needed; it is "
               "mounted into the scheduler.")
          .MaxLength(253),
      json::Field("certFile", &ExtenderTls::cert_file)
          .Doc("Path of the client certificate in the scheduler's container.")
          .MaxLength(1024),
      json::Field("keyFile", &ExtenderTls::key_file)
          .Doc("Path of the client key in the scheduler's container.")
          .MaxLength(1024),
      json::Field("caFile", &ExtenderTls::ca_file)
          .Doc("Path of the authorities' certificates in the scheduler's container.")
          .MaxLength(1024),
      json::Field("certData", &ExtenderTls::cert_data)
          .Doc("Client certificate, PEM in base64; goes before certFile.")
          .MaxLength(65536),
      json::Field("keyData", &ExtenderTls::key_data)
          .Doc("Refused: name a Secret in secretName.")
          .MaxLength(65536)
          .Rule("self == ''", kNoKeyData),
      json::Field("caData", &ExtenderTls::ca_data)
          .Doc("Authorities' certificates, PEM in base64; goes before caFile.")
          .MaxLength(65536)));
  return type;
}

const json::Type& ExtenderResource::JsonType() {
  static const json::Type type = json::Describe<ExtenderResource>(
      json::Object(json::Field("name", &ExtenderResource::name)
                       .Doc("An extended resource, such as example.com/gpu.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(317),
                   json::Field("ignoredByScheduler", &ExtenderResource::ignored_by_scheduler)
                       .Doc("NodeResourcesFit leaves this resource to the extender.")));
  return type;
}

const json::Type& Extender::JsonType() {
  static const json::Type type = json::Describe<Extender>(
      json::Object(
          json::Field("urlPrefix", &Extender::url_prefix)
              .Doc("Address of the extender, to which a verb is appended.")
              .Required()
              .MinLength(1)
              .MaxLength(2048),
          json::Field("filterVerb", &Extender::filter_verb)
              .Doc("Path of the filter call; empty: not called.")
              .MaxLength(256),
          json::Field("preemptVerb", &Extender::preempt_verb)
              .Doc("Path of the preempt call; empty: not called.")
              .MaxLength(256),
          json::Field("prioritizeVerb", &Extender::prioritize_verb)
              .Doc("Path of the prioritize call; empty: not called.")
              .MaxLength(256),
          json::Field("bindVerb", &Extender::bind_verb)
              .Doc("Path of the bind call; empty: not called. One extender at most may bind.")
              .MaxLength(256),
          json::Field("weight", &Extender::weight)
              .Doc("Factor of the scores that prioritize returns; positive where "
                   "prioritizeVerb is set.")
              .Min(0)
              .Max(2147483647),
          json::Field("enableHTTPS", &Extender::enable_https)
              .Doc("Call with TLS, as tlsConfig says."),
          json::Field("tlsConfig", &Extender::tls_config).Doc("TLS settings of the calls."),
          json::Field("httpTimeout", &Extender::http_timeout)
              .Doc("Time after which a call has failed; absent: 5s."),
          json::Field("nodeCacheCapable", &Extender::node_cache_capable)
              .Doc("The extender knows the nodes: only their names are sent."),
          json::Field("managedResources", &Extender::managed_resources)
              .Doc("The extender is called only for pods that request one of these; none: for "
                   "every pod.")
              .ListMap("name")
              .MaxItems(32),
          json::Field("ignorable", &Extender::ignorable)
              .Doc("Scheduling goes on when the extender fails."),
          json::Field("podSelector", &Extender::pod_selector)
              .Doc("Berth only: the extender is called for pods with these labels; absent: "
                   "for every pod."),
          json::Field("namespaceSelector", &Extender::namespace_selector)
              .Doc("Berth only: the extender is called for pods of namespaces with these "
                   "labels; absent: of every "
                   "namespace."))
          .Rule("!has(self.prioritizeVerb) || self.prioritizeVerb == '' || (has(self.weight) && "
                "self.weight > 0)",
                kWeightNeeded));
  return type;
}

}  // namespace berth::crds
