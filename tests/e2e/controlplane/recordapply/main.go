// SPDX-License-Identifier: Apache-2.0

// Command recordapply runs the cases of tests/sandbox/apiserver/patch/cases against a real kube-apiserver and
// records the response of each step: the object with its managed fields, or the Status. The unit tests
// replay them. A developer runs it by hand after adding a case; see README.md.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

type object = map[string]any

type step struct {
	Do          string `json:"do"`
	Manager     string `json:"manager"`
	Subresource string `json:"subresource,omitempty"`
	Force       bool   `json:"force,omitempty"`
	Object      object `json:"object"`
	Expect      object `json:"expect,omitempty"`
}

type testCase struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Steps []*step `json:"steps"`
}

type resource struct{ apiVersion, path string }

var resources = map[string]resource{
	"ConfigMap":      {"v1", "/api/v1/namespaces/default/configmaps"},
	"Pod":            {"v1", "/api/v1/namespaces/default/pods"},
	"Service":        {"v1", "/api/v1/namespaces/default/services"},
	"ServiceAccount": {"v1", "/api/v1/namespaces/default/serviceaccounts"},
	"Deployment":     {"apps/v1", "/apis/apps/v1/namespaces/default/deployments"},
	"Role":           {"rbac.authorization.k8s.io/v1", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles"},
	"Lease":          {"coordination.k8s.io/v1", "/apis/coordination.k8s.io/v1/namespaces/default/leases"},
	"Thing":          {"example.com/v1", "/apis/example.com/v1/namespaces/default/things"},
}

func main() {
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "file that names the server to ask")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 200, 200
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range flag.Args() {
		if err := recordFile(client.Discovery().RESTClient(), file); err != nil {
			log.Fatalf("%s: %v", file, err)
		}
	}
}

func recordFile(client rest.Interface, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var cases []*testCase
	if err := json.Unmarshal(text, &cases); err != nil {
		return err
	}
	run := time.Now().Unix()
	for i, c := range cases {
		// Unique names, so that the file can be recorded twice on one server.
		name := fmt.Sprintf("case-%s-%d-%d", filepath.Base(file[:len(file)-len(".json")])[:4], i, run)
		for _, s := range c.Steps {
			if err := record(client, resources[c.Type], c.Type, name, s); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return write(file, cases)
}

// write writes one step per line.
func write(file string, cases []*testCase) error {
	var text bytes.Buffer
	text.WriteString("[")
	for i, c := range cases {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, "\n{\"name\":%q,\"type\":%q,\"steps\":[", c.Name, c.Type)
		for j, s := range c.Steps {
			line, err := json.Marshal(s)
			if err != nil {
				return err
			}
			if j > 0 {
				text.WriteString(",")
			}
			fmt.Fprintf(&text, "\n %s", line)
		}
		text.WriteString("]}")
	}
	text.WriteString("\n]\n")
	return os.WriteFile(file, text.Bytes(), 0o644)
}

func record(client rest.Interface, r resource, kind, name string, s *step) error {
	request := client.Patch(types.ApplyPatchType)
	body := object{}
	for key, value := range s.Object {
		body[key] = value
	}
	path := r.path + "/" + name
	switch s.Do {
	case "create":
		request, path = client.Post(), r.path
	case "update":
		request = client.Put()
	case "merge":
		request = client.Patch(types.MergePatchType)
	case "strategic":
		request = client.Patch(types.StrategicMergePatchType)
	}
	if s.Do != "merge" && s.Do != "strategic" {
		body["apiVersion"], body["kind"] = r.apiVersion, kind
		metadata := object{"name": name}
		if given, ok := s.Object["metadata"].(object); ok {
			for key, value := range given {
				metadata[key] = value
			}
		}
		if s.Do == "update" {
			metadata["resourceVersion"] = currentVersion(client, path)
		}
		body["metadata"] = metadata
	}
	if s.Subresource != "" {
		path += "/" + s.Subresource
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request = request.AbsPath(path).Param("fieldManager", s.Manager).Body(text)
	if s.Force {
		request = request.Param("force", "true")
	}
	// Steps run in different seconds, so that their times differ.
	time.Sleep(1100 * time.Millisecond)
	answer, _ := request.SetHeader("Accept", "application/json").Do(context.Background()).Raw()
	return expect(answer, name, s)
}

// currentVersion returns the resourceVersion that an update of a custom resource requires.
func currentVersion(client rest.Interface, path string) string {
	answer, err := client.Get().AbsPath(path).SetHeader("Accept", "application/json").Do(context.Background()).Raw()
	if err != nil {
		return ""
	}
	var current struct {
		Metadata struct{ ResourceVersion string }
	}
	if json.Unmarshal(answer, &current) != nil {
		return ""
	}
	return current.Metadata.ResourceVersion
}

// expect keeps the parts of a response that are the same in every run.
func expect(answer []byte, name string, s *step) error {
	answer = bytes.ReplaceAll(answer, []byte(name), []byte("test"))
	var got object
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Errorf("answer %q: %w", answer, err)
	}
	if got["kind"] == "Status" {
		s.Expect = object{"status": object{"code": got["code"], "reason": got["reason"], "message": got["message"]}}
		if details, ok := got["details"].(object); ok && details["causes"] != nil {
			s.Expect["status"].(object)["causes"] = details["causes"]
		}
		return nil
	}
	metadata := got["metadata"].(object)
	for _, key := range []string{"uid", "resourceVersion", "creationTimestamp", "generation"} {
		delete(metadata, key)
	}
	s.Expect = object{"object": got}
	return nil
}
