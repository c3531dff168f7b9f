//go:build tools

package kubernetes

// The image of the tests' pods.
import _ "k8s.io/kubernetes/test/images/agnhost"
