// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
)

// Name is the name of the plugin in profiles.
const Name = "QOSSort"

// QOSSort sorts pods by priority, highest first, then by QoS class (Guaranteed, Burstable, BestEffort),
// then by waiting time.
type QOSSort struct{}

var _ fwk.QueueSortPlugin = QOSSort{}

// New creates the plugin of a profile. It has no arguments.
func New(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) {
	return QOSSort{}, nil
}

func (QOSSort) Name() string { return Name }

var rank = map[v1.PodQOSClass]int{v1.PodQOSGuaranteed: 0, v1.PodQOSBurstable: 1, v1.PodQOSBestEffort: 2}

func (QOSSort) Less(a, b fwk.QueuedPodInfo) bool {
	first, second := a.GetPodInfo().GetPod(), b.GetPodInfo().GetPod()
	if p, q := corev1helpers.PodPriority(first), corev1helpers.PodPriority(second); p != q {
		return p > q
	}
	if p, q := rank[qos.GetPodQOS(first)], rank[qos.GetPodQOS(second)]; p != q {
		return p < q
	}
	return a.GetTimestamp().Before(b.GetTimestamp())
}
