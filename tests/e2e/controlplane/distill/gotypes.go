// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// collectGoTypes returns the Go struct types of the published schemas, by published name.
func collectGoTypes() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, t := range scheme.Scheme.AllKnownTypes() {
		collect(t, types)
	}
	collect(reflect.TypeFor[apiextensions.CustomResourceDefinition](), types)
	collect(reflect.TypeFor[apiextensions.CustomResourceDefinitionList](), types)
	return types
}

func collect(t reflect.Type, types map[string]reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		collect(t.Elem(), types)
	case reflect.Struct:
		name := publishedName(t)
		if _, seen := types[name]; seen {
			return
		}
		types[name] = t
		for i := range t.NumField() {
			collect(t.Field(i).Type, types)
		}
	}
}

// publishedName turns k8s.io/api/apps/v1.Deployment into io.k8s.api.apps.v1.Deployment.
func publishedName(t reflect.Type) string {
	host, rest, _ := strings.Cut(t.PkgPath(), "/")
	labels := strings.Split(host, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(rest, "/", ".") + "." + t.Name()
}

// addGoFacts adds facts that clients see but the published schema lacks: the encoding of empty fields, and
// the names of string types in decoding errors.
func addGoFacts(s schema, t reflect.Type) {
	properties, ok := s["properties"].(schema)
	if !ok {
		return
	}
	for i := range t.NumField() {
		field := t.Field(i)
		tag, isTagged := field.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if field.Anonymous && name == "" {
			addGoFacts(s, field.Type)
			continue
		}
		property, ok := properties[name].(schema)
		if !isTagged || !ok {
			continue
		}
		if empty := emptyForm(field.Type, options); empty != "" {
			property["x-empty"] = empty
		}
		if property["x-empty"] == "drop" && field.Type.Kind() == reflect.Struct {
			delete(property, "default")
		}
		if word := goWord(field.Type); word != "" {
			property["x-go-type"] = word
		}
	}
}

// emptyForm returns how Go encodes a zero value: "drop" if it is omitted, "null" if it is written as null,
// "" if it is written unchanged or can be absent by itself (a pointer with omitempty).
func emptyForm(t reflect.Type, options string) string {
	omitted := strings.Contains(options, "omitempty")
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		if omitted {
			return ""
		}
		return "null"
	case reflect.Slice, reflect.Map:
		if omitted {
			return "drop"
		}
		return "null"
	case reflect.Struct:
		if strings.Contains(options, "omitzero") {
			return "drop"
		}
		switch t.Name() {
		case "Time", "MicroTime", "RawExtension":
			return "null"
		}
		return ""
	}
	if omitted {
		return "drop"
	}
	return ""
}

// goWord returns the name of a string type other than string, for example v1.RestartPolicy.
func goWord(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.String || t.PkgPath() == "" {
		return ""
	}
	return t.String()
}
