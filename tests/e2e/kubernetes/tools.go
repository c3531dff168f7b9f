//go:build tools

package kubernetes

// The image that the tests run their pods of.
import _ "k8s.io/kubernetes/test/images/agnhost"
