# What a developer runs; `make help` lists it. CI (.ci/run) runs these same targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The build that a target works in; PRESET=dev|quick|release|asan|tsan|coverage|ci chooses another. The demo and the tests
# share `quick`, which is compiled in the least time; what is measured or shipped is `release`.
TEST := $(or $(PRESET),quick)
SHIP := $(or $(PRESET),release)
JOBS ?= $(shell nproc)
configure = cmake --preset $(1) >build/$(1).log 2>&1 || { cat build/$(1).log >&2; exit 1; }
ninja = cmake --build build/$(1) -j $(JOBS) --target

.PHONY: help setup setup-image setup-test setup-bench setup-lint setup-fuzz build image install controlplane demo test test-integration test-e2e test-e2e-upgrade test-kubernetes-e2e test-fidelity test-differential test-differential-ci test-versions test-versions-ci conformance policy-check reuse-check counts-check preemption-check gang-check fuzz bench bench-check \
        bench-record build-times lint format-check layers generated shell tidy format generate golden sanitize presubmit presubmit-full coverage clean

help: ## List the targets
	@echo "make TARGET [PRESET=quick|release|dev|asan|tsan|coverage|ci] [JOBS=n]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-18s %s\n", $$1, $$2}' Makefile

setup: ## Install the Debian packages that are missing, saying which and why
	@scripts/setup build
	@mkdir -p build

setup-image setup-test setup-bench setup-lint setup-fuzz: setup-%: setup
	@scripts/setup $*

build: setup-test ## Build build/release/berth, and build/release/conformance that compares it
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) berth conformance

image: setup-image ## Write the container image build/image/berth.tar, without a daemon; IMAGE=name:tag
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) berth
	@scripts/berth-image --build build/$(SHIP) $(if $(IMAGE),--name $(IMAGE))

install: setup ## Install berth, also as kubectl's plugin, and its manifests below PREFIX=/usr/local; DESTDIR= for packagers
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) berth
	@cmake --install build/$(SHIP) --strip --prefix $(or $(PREFIX),/usr/local)

controlplane: ## Build the real control plane that tests compare with (needs Go)
	@scripts/controlplane-build

demo: setup ## Show Berth at work on this machine; ARGS="--keep --nodes 20 --pods 40"
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) berth-sandbox
	@build/$(TEST)/berth-sandbox demo $(ARGS)

test: setup-test setup-image ## Build and run the unit tests
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) unit-tests
	@scripts/run-tests $(TEST) unit -j $(JOBS)

test-integration: setup-test ## Run the integration tests on a real control plane (needs Go)
	@$(call configure,$(TEST))
	@scripts/run-integration $(TEST)

test-e2e: image setup-test ## Run the end-to-end tests on a real cluster: that of KUBECONFIG, or one made here (root, Go)
	@$(call configure,$(TEST))
	@scripts/run-e2e $(TEST)

test-e2e-upgrade: image setup-test ## Upgrade from an older commit on a real cluster, with a profile in place; minutes
	@$(call configure,$(TEST))
	@scripts/run-e2e $(TEST) --upgrade

test-kubernetes-e2e: setup-test ## Run Kubernetes' own tests of scheduling with Berth as the default scheduler; FOCUS=, SKIP= (root, Go)
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) berth
	@scripts/run-kubernetes-e2e build/$(SHIP)/berth

test-fidelity: setup-test ## Compare the in-memory API server with the real one, request by request (needs Go)
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) fidelity berth-sandbox
	@scripts/run-fidelity $(TEST)

test-differential: setup-test ## Compare Berth with the running kube-scheduler, scenario by scenario (needs Go); minutes
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) differential berth
	@scripts/run-differential $(TEST)

test-differential-ci: setup-test ## The fixed part of these scenarios that CI runs
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) differential berth
	@scripts/run-differential $(TEST) --ci

test-versions: setup-test ## Run what concerns releases of Kubernetes on each supported one; VERSIONS="1.30 1.37" (needs Go)
	@$(call configure,$(TEST))
	@scripts/run-versions $(TEST) $(VERSIONS)

test-versions-ci: setup-test ## The oldest and the newest of them, which CI runs
	@$(call configure,$(TEST))
	@scripts/run-versions $(TEST) --ends

conformance: setup-test ## Compare answers with those of kube-scheduler: reuse off, cold, warm
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) conformance
	@scripts/run-conformance $(SHIP)

policy-check: setup-test ## Compare what 20,000 random Policies choose with what their profiles choose
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) policy_choice_test
	@BERTH_POLICY_CASES="2 20000" build/$(SHIP)/tests/policy_choice_test --gtest_filter=PolicyChoice.IsThatOfRandomPolicies

reuse-check: setup-test ## Compare 600,000 random steps with and without reuse of answers; minutes
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) reuse_check
	@build/$(SHIP)/reuse_check --seeds 1..12 --steps 12500 --nodes 500
	@build/$(SHIP)/reuse_check --seeds 101..112 --steps 4200 --nodes 2000
	@build/$(SHIP)/reuse_check --seeds 201..220 --steps 20000 --nodes 40

counts-check: setup-test ## Compare counts of pods with a walk over all pods, in 150,000 random steps
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) counts_check
	@build/$(SHIP)/counts_check --seed 1 --walks 8 --steps 12500 2>/dev/null
	@build/$(SHIP)/counts_check --seed 101 --walks 4 --steps 12500 --nodes 6 --count-bytes 20000 2>/dev/null

preemption-check: setup-test ## Compare 10,000 random preemptions with clusters built anew
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) preemption_check
	@build/$(SHIP)/preemption_check --seed 1 --runs 10000

gang-check: setup-test ## Place gangs in 10,000 random small worlds where everything goes wrong; a minute
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) scheduler_loop_test
	@BERTH_GANG_RUNS="1 10000" build/$(TEST)/tests/scheduler_loop_test --gtest_brief=1 --gtest_filter='GangWalkTest.*' 2>/dev/null

fuzz: setup-test setup-fuzz ## Feed readers of outside bytes with libFuzzer; SECONDS=n each (60), TARGET=name for one
	@$(call configure,fuzz)
	$(call ninja,fuzz) fuzzer
	@scripts/run-fuzz $(or $(SECONDS),60) $(TARGET)

bench: setup-test setup-bench ## Time the benchmarks and the API server, measure memory; CASES=regex for some
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) benchmarks memory_use apiserver_load extender_load scheduler_memory berth berth-sandbox
	@build/$(SHIP)/benchmarks --benchmark_filter='$(or $(CASES),.)' tests/scenarios/workloads/*.yaml
	@build/$(SHIP)/memory_use
	@build/$(SHIP)/scheduler_memory
	@build/$(SHIP)/scheduler_memory --pages
	@build/$(SHIP)/scheduler_memory --terms
	@build/$(SHIP)/extender_load
	@build/$(SHIP)/apiserver_load
	@build/$(SHIP)/apiserver_load --tls

bench-check: setup-test setup-bench ## Count instructions of the benchmarks; fails beyond 3 % more than recorded
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) count_instructions
	@scripts/bench-check $(SHIP)

bench-record: setup-test setup-bench ## Record those counts for this compiler version
	@$(call configure,$(SHIP))
	$(call ninja,$(SHIP)) count_instructions
	@scripts/bench-check $(SHIP) --record

build-times: setup-test ## Build from nothing without ccache, and print what each folder costs
	@scripts/build-times

lint: setup-lint format-check layers shell generated ## Check format, layers, scripts, generated files

format-check:
	@scripts/format --check

layers:
	@scripts/check-layers

shell:
	@scripts/check-shell

generated: setup
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) generate
	@build/$(TEST)/generate --check

tidy: setup-test setup-lint ## Run clang-tidy on changed files; SCOPE=all for all, SCOPE="base api" for folders
	@scripts/tidy $(SCOPE)

format: setup-lint ## Format the C++ sources
	@scripts/format

generate: setup ## Write what follows from the code: crds/manifests, deploy, docs/plugins.md
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) generate
	@build/$(TEST)/generate

golden: setup-test ## Write anew what profiles are rendered to (tests/controllers/golden) and docs/metrics.md; look at the difference
	@$(call configure,$(TEST))
	$(call ninja,$(TEST)) controllers_test operator_test
	@BERTH_UPDATE_GOLDEN=1 build/$(TEST)/tests/controllers_test --gtest_brief=1 --gtest_filter='*Golden*'
	@BERTH_UPDATE_GOLDEN=1 build/$(TEST)/tests/operator_test --gtest_brief=1 --gtest_filter='MetricsList*'
	@git --no-pager diff --stat -- tests/controllers/golden docs/metrics.md

sanitize: setup-test ## Run a part of the unit tests under the address, undefined and thread sanitizers
	@scripts/run-sanitized

presubmit: lint test tidy ## All that a change must pass; some minutes

presubmit-full: presubmit test-integration test-versions test-e2e test-e2e-upgrade test-kubernetes-e2e test-fidelity test-differential conformance policy-check gang-check bench-check ## presubmit, sanitizers, warnings as errors, control plane, conformance, instruction counts
	@$(MAKE) tidy SCOPE=all
	@for sanitizer in asan tsan; do $(MAKE) test test-integration PRESET=$$sanitizer; done
	@$(MAKE) build PRESET=ci

coverage: ## Unit tests with a coverage report in build/coverage/report
	@scripts/setup coverage
	@$(MAKE) test PRESET=coverage
	@mkdir -p build/coverage/report
	@gcovr --root . --exclude tests/ --exclude build/ --html-details build/coverage/report/index.html --print-summary build/coverage

clean: ## Remove all builds but keep the control plane
	@find build -mindepth 1 -maxdepth 1 ! -name controlplane -exec rm -rf {} + 2>/dev/null || true
