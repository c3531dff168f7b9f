// Package kubernetes makes a program of the tests that Kubernetes has for its scheduler.
// scripts/run-kubernetes-e2e builds it and runs it on a cluster whose default scheduler is Berth.
package kubernetes

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"k8s.io/kubernetes/test/e2e"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"
	"k8s.io/kubernetes/test/e2e/framework/testfiles"
	manifests "k8s.io/kubernetes/test/e2e/testing-manifests"
	"k8s.io/kubernetes/test/utils/image"

	// The tests, and what looks at the cluster when one of them fails.
	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/metrics/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/scheduling"
)

// report prints a line for each test as it ends, which the script takes out of the log.
func report(test ginkgo.SpecReport) {
	outcome := "passed"
	if test.State.Is(types.SpecStateFailureStates) {
		outcome = "failed"
	} else if test.State != types.SpecStatePassed {
		return
	}
	fmt.Printf("\nresult: %s %s (%.0f s)\n", outcome, test.FullText(), time.Since(test.StartTime).Seconds())
}

func TestMain(m *testing.M) {
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	if framework.TestContext.ListImages {
		for _, id := range []image.ImageID{image.Pause, image.Agnhost} {
			fmt.Println(image.GetE2EImage(id))
		}
		return
	}
	testfiles.AddFileSource(manifests.GetE2ETestingManifestsFS())
	// That looks at all tests in a dry run, with which nodes of the top level are gone: what reports
	// comes after it.
	framework.AfterReadingAllFlags(&framework.TestContext)
	ginkgo.ReportAfterEach(report)
	os.Exit(m.Run())
}

func TestScheduling(t *testing.T) { e2e.RunE2ETests(t) }
