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

// Name is what a profile enables.
const Name = "QOSSort"

// QOSSort takes pods of higher priority first; of equal ones Guaranteed pods before Burstable ones, and
// those before BestEffort ones; then the one that has waited longer.
type QOSSort struct{}

var _ fwk.QueueSortPlugin = QOSSort{}

// New makes the plugin, once for each profile. It has no arguments.
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
