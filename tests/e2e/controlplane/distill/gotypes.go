// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// collectGoTypes gives the struct types behind the published schemas, by published name.
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

// addGoFacts adds what the published schema does not say and a client sees: how Go writes a field that
// is empty, and the name of a string type in decoding errors.
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

// emptyForm is "drop" for a field whose zero value is not written, "null" for one that is written as
// null, "" for one that is written as it is or can be absent by itself (a pointer with omitempty).
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

// goWord names a string type that is not plain string: v1.RestartPolicy.
func goWord(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.String || t.PkgPath() == "" {
		return ""
	}
	return t.String()
}
