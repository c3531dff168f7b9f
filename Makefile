# What a developer runs; `make help` lists it. CI (.ci/run) runs these same targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The build that a target works in; PRESET=dev|quick|release|asan|tsan|coverage|ci chooses another. The demo and the tests
# share `quick`, which is compiled in the least time; what is measured or shipped is `release`.
TEST := $(or $(PRESET),quick)
SHIP := $(or $(PRESET),release)

.PHONY: help setup setup-image setup-test setup-bench setup-lint setup-fuzz build image install controlplane demo picture test test-bare test-kubectl test-kubectl-versions newcomer test-integration test-e2e test-e2e-upgrade test-kubernetes-e2e test-fidelity test-differential test-differential-ci test-versions test-versions-ci conformance random-checks random-checks-ci fuzz bench bench-check \
        bench-record build-times lint format-check layers generated shell markdown tidy format generate golden gates tidy-all sanitize sanitize-all strict presubmit presubmit-full coverage clean

help: ## List the targets
	@echo "make TARGET [PRESET=quick|release|dev|asan|tsan|coverage|ci] [JOBS=n]"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-20s %s\n", $$1, $$2}' Makefile

setup: ## Install the Debian packages that are missing, saying which and why
	@scripts/setup build

setup-image setup-test setup-bench setup-lint setup-fuzz: setup-%: setup
	@scripts/setup $*

build: setup-test ## Build build/release/berth, and build/release/conformance that compares it
	@scripts/build --tests $(SHIP) berth conformance

image: setup-image ## Write the container image build/image/berth.tar, without a daemon; IMAGE=name:tag
	@scripts/build $(SHIP) berth
	@scripts/berth-image --build build/$(SHIP) $(if $(IMAGE),--name $(IMAGE))

install: setup ## Install berth, also as kubectl's plugin, and its manifests below PREFIX=/usr/local; DESTDIR= for packagers
	@scripts/build $(SHIP) berth
	@cmake --install build/$(SHIP) --strip --prefix $(or $(PREFIX),/usr/local)

picture: ## Write docs/demo.svg from a run of the demo
	@scripts/setup docs
	@scripts/build $(TEST) berth-sandbox
	@scripts/record-demo build/$(TEST)/berth-sandbox

controlplane: ## Build the real control plane that tests compare with (needs Go)
	@scripts/controlplane-build

demo: ## Show Berth at work on this machine; ARGS="--keep --nodes 20 --pods 40"
	@scripts/demo $(ARGS)

test: ## Build and run the unit tests; ARGS="-R base_test" for some
	@scripts/test $(ARGS)

test-bare: ## The README's two commands on a Debian 12 with nothing but git, bash and apt, made for them (root)
	@NEWCOMER_CCACHE=$(or $(CCACHE_DIR),$(HOME)/.cache/ccache) scripts/newcomer bare

test-kubectl: ## Those of the unit tests that type kubectl, and are skipped without it
	@scripts/test -L '^kubectl$$'

test-kubectl-versions: ## The same with the oldest and the newest kubectl; VERSIONS="1.31 1.32" for others (needs Go)
	@scripts/run-kubectl-versions $(VERSIONS)

newcomer: ## Run the README's two commands on fresh Debian machines; ARGS="bare sudo" for some (root)
	@scripts/newcomer $(ARGS)

test-integration: setup-test ## Run the integration tests on a real control plane (needs Go)
	@scripts/build --tests $(TEST)
	@scripts/run-integration $(TEST)

test-e2e: image setup-test ## Run the end-to-end tests on a real cluster: that of KUBECONFIG, or one made here (root, Go)
	@scripts/build --tests $(TEST)
	@scripts/run-e2e $(TEST)

test-e2e-upgrade: image setup-test ## Upgrade from an older commit on a real cluster, with a profile in place; minutes
	@scripts/build --tests $(TEST)
	@scripts/run-e2e $(TEST) --upgrade

test-kubernetes-e2e: setup-test ## Run Kubernetes' own tests of scheduling with Berth as the default scheduler; FOCUS=, SKIP= (root, Go)
	@scripts/build --tests $(SHIP) berth
	@scripts/run-kubernetes-e2e build/$(SHIP)/berth

test-fidelity: setup-test ## Compare the in-memory API server with the real one, request by request (needs Go)
	@scripts/build --tests $(TEST) fidelity berth-sandbox
	@scripts/run-fidelity $(TEST)

test-differential: setup-test ## Compare Berth with the running kube-scheduler, scenario by scenario (needs Go); minutes
	@scripts/build --tests $(TEST) differential berth
	@scripts/run-differential $(TEST)

test-differential-ci: setup-test ## The fixed part of these scenarios that CI runs
	@scripts/build --tests $(TEST) differential berth
	@scripts/run-differential $(TEST) --ci

test-versions: setup-test ## Run what concerns releases of Kubernetes on each supported one; VERSIONS="1.30 1.37" (needs Go)
	@scripts/build --tests $(TEST)
	@scripts/run-versions $(TEST) $(VERSIONS)

test-versions-ci: setup-test ## The oldest and the newest of them, which CI runs
	@scripts/build --tests $(TEST)
	@scripts/run-versions $(TEST) --ends

conformance: setup-test ## Compare answers with those of kube-scheduler: reuse off, cold, warm
	@scripts/build --tests $(SHIP) conformance
	@scripts/run-conformance $(SHIP)

random-checks: setup-test ## Compare the core with slow references on random clusters; CHECK=reuse|counts|preemption|gang|policy
	@scripts/random-checks $(SHIP) full $(CHECK)

random-checks-ci: setup-test ## The fixed part of these that CI runs
	@scripts/random-checks $(TEST) ci $(CHECK)

fuzz: setup-test setup-fuzz ## Feed readers of outside bytes with libFuzzer; SECONDS=n each (60), TARGET=name for one
	@scripts/build --tests fuzz fuzzer
	@scripts/run-fuzz $(or $(SECONDS),60) $(TARGET)

bench: setup-test setup-bench ## Time the benchmarks and the API server, measure memory; CASES=regex for some
	@scripts/build --bench $(SHIP) benchmarks memory_use apiserver_load extender_load scheduler_memory berth berth-sandbox
	@build/$(SHIP)/benchmarks --benchmark_filter='$(or $(CASES),.)' tests/scenarios/workloads/*.yaml
	@build/$(SHIP)/memory_use
	@build/$(SHIP)/scheduler_memory
	@build/$(SHIP)/scheduler_memory --pages
	@build/$(SHIP)/scheduler_memory --terms
	@build/$(SHIP)/extender_load
	@build/$(SHIP)/apiserver_load
	@build/$(SHIP)/apiserver_load --tls

bench-check: setup-test setup-bench ## Count instructions of the benchmarks; fails beyond 3 % more than recorded
	@scripts/build --bench $(SHIP) count_instructions
	@scripts/bench-check $(SHIP)

bench-record: setup-test setup-bench ## Record those counts for this compiler version
	@scripts/build --bench $(SHIP) count_instructions
	@scripts/bench-check $(SHIP) --record

build-times: setup-test ## Build from nothing without ccache, and print what each folder costs
	@scripts/build-times

lint: setup-lint format-check layers shell markdown gates generated ## Check format, layers, scripts, pages, gates, generated files

format-check:
	@scripts/format --check

layers:
	@scripts/check-layers

shell:
	@scripts/check-shell

markdown:
	@scripts/check-markdown

gates:
	@scripts/check-gates

generated: setup
	@scripts/build $(TEST) generate
	@build/$(TEST)/generate --check

tidy: setup-test setup-lint ## Run clang-tidy on changed files; SCOPE="base api" for folders
	@scripts/tidy $(SCOPE)

tidy-all: setup-test setup-lint ## Run clang-tidy on all files
	@scripts/tidy all

format: setup-lint ## Format the C++ sources
	@scripts/format

generate: setup ## Write what follows from the code: crds/manifests, deploy, docs/plugins.md
	@scripts/build $(TEST) generate
	@build/$(TEST)/generate

golden: setup-test ## Write anew what profiles are rendered to (tests/controllers/golden) and docs/metrics.md; look at the difference
	@scripts/build --tests $(TEST) controllers_test operator_test
	@BERTH_UPDATE_GOLDEN=1 build/$(TEST)/tests/controllers_test --gtest_brief=1 --gtest_filter='*Golden*'
	@BERTH_UPDATE_GOLDEN=1 build/$(TEST)/tests/operator_test --gtest_brief=1 --gtest_filter='MetricsList*'
	@git --no-pager diff --stat -- tests/controllers/golden docs/metrics.md

sanitize: setup-test ## Run the part of the unit tests that CI runs under the address, undefined and thread sanitizers
	@scripts/run-sanitized

sanitize-all: ## Run all unit and integration tests under these sanitizers (needs Go); an hour
	@for sanitizer in asan tsan; do $(MAKE) test test-integration PRESET=$$sanitizer; done

strict: ## Build with warnings as errors
	@$(MAKE) build PRESET=ci

presubmit: lint test tidy ## Run what a change must pass before review; CONTRIBUTING.md lists what each gate runs

presubmit-full: presubmit tidy-all strict conformance random-checks bench-check test-integration test-fidelity test-differential sanitize-all test-e2e test-e2e-upgrade test-kubernetes-e2e test-versions test-kubectl-versions newcomer ## Run every check at its full length (root, Go); hours

coverage: ## Unit tests with a coverage report in build/coverage/report
	@scripts/setup coverage
	@$(MAKE) test PRESET=coverage
	@mkdir -p build/coverage/report
	@gcovr --root . --exclude tests/ --exclude build/ --html-details build/coverage/report/index.html --print-summary build/coverage

clean: ## Remove all builds but keep the control plane
	@find build -mindepth 1 -maxdepth 1 ! -name controlplane -exec rm -rf {} + 2>/dev/null || true
