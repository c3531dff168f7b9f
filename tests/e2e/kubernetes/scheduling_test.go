// Package kubernetes builds the scheduling tests of Kubernetes as a program. scripts/run-kubernetes-e2e
// builds it and runs it on a cluster with Berth as the default scheduler.
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

	// The tests, and the packages that inspect the cluster after a failure.
	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/metrics/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/scheduling"
)

// report prints a line for each finished test, which the script extracts from the log.
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
	// This walks all tests in a dry run, which removes top-level nodes, so the reporter has to be
	// registered afterwards.
	framework.AfterReadingAllFlags(&framework.TestContext)
	ginkgo.ReportAfterEach(report)
	os.Exit(m.Run())
}

func TestScheduling(t *testing.T) { e2e.RunE2ETests(t) }
