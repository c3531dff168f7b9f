// SPDX-License-Identifier: Apache-2.0

// Command distill writes the table of built-in kinds, sandbox/apiserver/schema/builtin/, from the schemas
// that a real kube-apiserver publishes at /openapi/v3 and from their Go types. A developer runs it by hand
// when the pinned Kubernetes version changes; see README.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// The group versions of the kinds that Berth and kubectl need.
var groupVersions = []string{
	"api/v1",
	"apis/admissionregistration.k8s.io/v1",
	"apis/apiextensions.k8s.io/v1",
	"apis/apps/v1",
	"apis/authentication.k8s.io/v1",
	"apis/authorization.k8s.io/v1",
	"apis/autoscaling/v1",
	"apis/coordination.k8s.io/v1",
	"apis/discovery.k8s.io/v1",
	"apis/events.k8s.io/v1",
	"apis/networking.k8s.io/v1",
	"apis/policy/v1",
	"apis/rbac.authorization.k8s.io/v1",
	"apis/resource.k8s.io/v1",
	"apis/scheduling.k8s.io/v1",
	"apis/storage.k8s.io/v1",
}

// Kinds of these groups that the sandbox does not serve. Their lists and unreferenced types are dropped too.
var leftOut = []string{
	"ComponentStatus", "ControllerRevision", "DeviceTaintRule", "Endpoints", "HorizontalPodAutoscaler", "IPAddress", "Ingress", "IngressClass",
	"LimitRange", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "PodTemplate", "ServiceCIDR",
	"ValidatingWebhookConfiguration",
}

const refPrefix = "#/components/schemas/"

type schema = map[string]any

func main() {
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "file that names the server to read from")
	out := flag.String("out", "../../../sandbox/apiserver/schema/builtin", "directory the table is written to")
	flag.Parse()

	published, err := fetch(*kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	dropLeftOut(published)
	goTypes := collectGoTypes()
	files := map[string]map[string]schema{}
	for name, full := range published {
		distilled := distill(full)
		if t, ok := goTypes[name]; ok {
			addGoFacts(distilled, t)
		}
		applySpecials(name, distilled)
		file := fileOf(name)
		if files[file] == nil {
			files[file] = map[string]schema{}
		}
		files[file][name] = distilled
	}
	for file, types := range files {
		if err := write(filepath.Join(*out, file+".json"), types); err != nil {
			log.Fatal(err)
		}
	}
}

// fetch returns all published schemas of the group versions, by name.
func fetch(kubeconfig string) (map[string]schema, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	schemas := map[string]schema{}
	for _, groupVersion := range groupVersions {
		body, err := client.Discovery().RESTClient().Get().AbsPath("/openapi/v3/" + groupVersion).DoRaw(context.Background())
		if err != nil {
			return nil, fmt.Errorf("read /openapi/v3/%s: %w", groupVersion, err)
		}
		var document struct {
			Components struct{ Schemas map[string]schema }
		}
		if err := json.Unmarshal(body, &document); err != nil {
			return nil, fmt.Errorf("decode /openapi/v3/%s: %w", groupVersion, err)
		}
		for name, s := range document.Components.Schemas {
			schemas[name] = s
		}
	}
	return schemas, nil
}

// dropLeftOut removes the kinds of leftOut, and every type of Kubernetes' own groups that no remaining kind references.
func dropLeftOut(published map[string]schema) {
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, other := range refsOf(published[name]) {
			visit(other)
		}
	}
	for name, s := range published {
		kind := strings.TrimSuffix(name[strings.LastIndex(name, ".")+1:], "List")
		_, isKind := s["x-kubernetes-group-version-kind"]
		if strings.HasPrefix(name, "io.k8s.apimachinery.") || (isKind && !slices.Contains(leftOut, kind)) {
			visit(name)
		}
	}
	for name := range published {
		if !reached[name] {
			delete(published, name)
		}
	}
}

// refsOf returns the types that a part of a schema references.
func refsOf(value any) []string {
	var refs []string
	switch value := value.(type) {
	case schema:
		for key, member := range value {
			if ref, ok := member.(string); ok && key == "$ref" {
				refs = append(refs, strings.TrimPrefix(ref, refPrefix))
			}
			refs = append(refs, refsOf(member)...)
		}
	case []any:
		for _, item := range value {
			refs = append(refs, refsOf(item)...)
		}
	}
	return refs
}

// fileOf groups types by Go package: io.k8s.api.apps.v1.Deployment is in apps_v1, everything of
// apimachinery in machinery.
func fileOf(name string) string {
	parts := strings.Split(name, ".")
	if strings.HasPrefix(name, "io.k8s.apimachinery.") {
		return "machinery"
	}
	return parts[len(parts)-3] + "_" + parts[len(parts)-2]
}

// distill keeps the parts that the sandbox evaluates: references become names; descriptions, defaults of
// list items (they apply to null items only) and unions are removed.
func distill(full schema) schema {
	kept := schema{}
	for key, value := range full {
		switch key {
		case "description", "x-kubernetes-unions":
		case "allOf":
			for _, part := range value.([]any) {
				kept["$ref"] = strings.TrimPrefix(part.(schema)["$ref"].(string), refPrefix)
			}
		case "$ref":
			kept["$ref"] = strings.TrimPrefix(value.(string), refPrefix)
		case "properties":
			properties := schema{}
			for name, property := range value.(schema) {
				properties[name] = distill(property.(schema))
			}
			kept[key] = properties
		case "items", "additionalProperties":
			item := distill(value.(schema))
			delete(item, "default")
			kept[key] = item
		default:
			kept[key] = value
		}
	}
	return kept
}

// applySpecials sets the format of types with custom Go decoding.
func applySpecials(name string, s schema) {
	switch name {
	case "io.k8s.apimachinery.pkg.api.resource.Quantity":
		delete(s, "oneOf")
		s["format"] = "quantity"
	case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
		delete(s, "oneOf")
		delete(s, "format")
		s["x-kubernetes-int-or-string"] = true
	case "io.k8s.apimachinery.pkg.runtime.RawExtension":
		s["x-kubernetes-preserve-unknown-fields"] = true
	case "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime":
		s["format"] = "micro-time"
	case "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1":
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	if strings.HasPrefix(name, "io.k8s.apimachinery.") {
		delete(s, "x-kubernetes-group-version-kind")
	}
}

// write writes one type per line, sorted, so that a diff of the table shows the changed types.
func write(path string, types map[string]schema) error {
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	sort.Strings(names)
	var text strings.Builder
	text.WriteString("{")
	for i, name := range names {
		line, err := json.Marshal(types[name])
		if err != nil {
			return err
		}
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, "\n%q:%s", name, line)
	}
	text.WriteString("\n}\n")
	return os.WriteFile(path, []byte(text.String()), 0o644)
}
