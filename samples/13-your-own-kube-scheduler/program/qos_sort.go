// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// onePod is a queued pod. The queue may also hold groups of pods.
type onePod interface {
	GetPodInfo() fwk.PodInfo
}

// rankOf returns the rank of a pod's class. A group of pods is sorted behind all pods of its priority.
func rankOf(entity fwk.QueuedEntityInfo) int {
	pod, ok := entity.(onePod)
	if !ok {
		return len(rank)
	}
	return rank[qos.GetPodQOS(pod.GetPodInfo().GetPod())]
}

func (QOSSort) Less(a, b fwk.QueuedEntityInfo) bool {
	if p, q := a.GetPriority(), b.GetPriority(); p != q {
		return p > q
	}
	if p, q := rankOf(a), rankOf(b); p != q {
		return p < q
	}
	return a.GetTimestamp().Before(b.GetTimestamp())
}
