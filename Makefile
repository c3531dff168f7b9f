# The targets for developers; `make help` lists them. CI (.ci/run) runs the same targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The build preset of a target; PRESET=dev|quick|release|asan|tsan|coverage|ci selects another.
# The demo and the tests use `quick`, the fastest to compile. Benchmarks and the image use `release`.
TEST := $(or $(PRESET),quick)
SHIP := $(or $(PRESET),release)

.PHONY: help setup setup-image setup-test setup-bench setup-lint setup-fuzz build image install controlplane demo picture test test-bare test-kubectl test-kubectl-versions newcomer test-integration test-e2e test-e2e-upgrade test-kubernetes-e2e test-fidelity test-differential test-differential-ci test-versions test-versions-ci conformance random-checks random-checks-ci fuzz bench bench-check \
        bench-record build-times lint format-check layers generated shell markdown tidy format generate golden gates reference upstream-diff tidy-all sanitize sanitize-build sanitize-all strict presubmit presubmit-full coverage clean

help: ## List the targets
	@echo "make TARGET [PRESET=quick|release|dev|asan|tsan|coverage|ci] [JOBS=n]"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-20s %s\n", $$1, $$2}' Makefile

setup: ## Install the missing Debian packages
	@scripts/setup build

setup-image setup-test setup-bench setup-lint setup-fuzz: setup-%: setup
	@scripts/setup $*

build: setup-test ## Build build/release/berth and build/release/conformance
	@scripts/build --tests $(SHIP) berth conformance

image: setup-image ## Write the container image build/image/berth.tar (no daemon needed); IMAGE=name:tag
	@scripts/build $(SHIP) berth
	@scripts/berth-image --build build/$(SHIP) $(if $(IMAGE),--name $(IMAGE))

install: setup ## Install berth, its kubectl plugin and its manifests; PREFIX=/usr/local, DESTDIR=
	@scripts/build $(SHIP) berth
	@cmake --install build/$(SHIP) --strip --prefix $(or $(PREFIX),/usr/local)

picture: ## Record docs/demo.svg from a run of the demo
	@scripts/setup docs
	@scripts/build $(TEST) berth-sandbox
	@scripts/record-demo build/$(TEST)/berth-sandbox

controlplane: ## Build the real Kubernetes control plane for the tests (needs Go)
	@scripts/controlplane-build

demo: ## Run the demo on this machine; ARGS="--keep --nodes 20 --pods 40"
	@scripts/demo $(ARGS)

test: ## Build and run the unit tests; ARGS="-R base_test" selects some
	@scripts/test $(ARGS)

test-bare: ## Run the README's two commands on a bare Debian 12: git, bash and apt (root)
	@NEWCOMER_CCACHE=$(or $(CCACHE_DIR),$(HOME)/.cache/ccache) scripts/newcomer bare

test-kubectl: ## Run the unit tests that need kubectl; skip them without kubectl
	@scripts/test -L '^kubectl$$'

test-kubectl-versions: ## Run these tests with the oldest and the newest kubectl; VERSIONS="1.31 1.32" (needs Go)
	@scripts/run-kubectl-versions $(VERSIONS)

newcomer: ## Run the README's two commands on fresh Debian machines; ARGS="bare sudo" selects some (root)
	@scripts/newcomer $(ARGS)

test-integration: setup-test ## Run the integration tests on a real control plane (needs Go)
	@scripts/build --tests $(TEST)
	@scripts/run-integration $(TEST)

test-e2e: image setup-test ## Run the end-to-end tests on the cluster of KUBECONFIG, or on a local one (root, Go)
	@scripts/build --tests $(TEST)
	@scripts/run-e2e $(TEST)

test-e2e-upgrade: image setup-test ## Test the upgrade from an older commit on a real cluster with a profile; takes minutes
	@scripts/build --tests $(TEST)
	@scripts/run-e2e $(TEST) --upgrade

test-kubernetes-e2e: setup-test ## Run Kubernetes' own scheduling tests with Berth as the default scheduler; FOCUS=, SKIP= (root, Go)
	@scripts/build --tests $(SHIP) berth
	@scripts/run-kubernetes-e2e build/$(SHIP)/berth

test-fidelity: setup-test ## Compare the in-memory API server with the real one, request by request (needs Go)
	@scripts/build --tests $(TEST) fidelity berth-sandbox
	@scripts/run-fidelity $(TEST)

test-differential: setup-test ## Compare Berth with a running kube-scheduler, scenario by scenario (needs Go); takes minutes
	@scripts/build --tests $(TEST) differential berth
	@scripts/run-differential $(TEST)

test-differential-ci: setup-test ## Run the scenarios that CI compares
	@scripts/build --tests $(TEST) differential berth
	@scripts/run-differential $(TEST) --ci

test-versions: setup-test ## Run the version-dependent tests on each supported Kubernetes release; VERSIONS="1.30 1.37" (needs Go)
	@scripts/build --tests $(TEST)
	@scripts/run-versions $(TEST) $(VERSIONS)

test-versions-ci: setup-test ## Run these tests on the oldest and the newest release, as CI does
	@scripts/build --tests $(TEST)
	@scripts/run-versions $(TEST) --ends

conformance: setup-test ## Compare decisions with kube-scheduler's: result cache off, cold and warm
	@scripts/build --tests $(SHIP) conformance
	@scripts/run-conformance $(SHIP)

random-checks: setup-test ## Compare the core with slow reference implementations on random clusters; CHECK=reuse|counts|preemption|gang|policy
	@scripts/random-checks $(SHIP) full $(CHECK)

random-checks-ci: setup-test ## Run the random checks that CI runs
	@scripts/random-checks $(TEST) ci $(CHECK)

fuzz: setup-test setup-fuzz ## Fuzz the parsers of external input with libFuzzer; SECONDS=n each (60), TARGET=name selects one
	@scripts/build --tests fuzz fuzzer
	@scripts/run-fuzz $(or $(SECONDS),60) $(TARGET)

bench: setup-test setup-bench ## Run the benchmarks and the API server load test, measure memory; CASES=regex selects some
	@scripts/build --bench $(SHIP) benchmarks memory_use apiserver_load extender_load scheduler_memory berth berth-sandbox
	@build/$(SHIP)/benchmarks --benchmark_filter='$(or $(CASES),.)' tests/scenarios/workloads/*.yaml
	@build/$(SHIP)/memory_use
	@build/$(SHIP)/scheduler_memory
	@build/$(SHIP)/scheduler_memory --pages
	@build/$(SHIP)/scheduler_memory --terms
	@build/$(SHIP)/extender_load
	@build/$(SHIP)/apiserver_load
	@build/$(SHIP)/apiserver_load --tls

bench-check: setup-test setup-bench ## Count benchmark instructions; fail if one exceeds its recorded count by more than 3 %
	@scripts/build --bench $(SHIP) count_instructions
	@scripts/bench-check $(SHIP)

bench-record: setup-test setup-bench ## Record the instruction counts for this compiler version
	@scripts/build --bench $(SHIP) count_instructions
	@scripts/bench-check $(SHIP) --record

build-times: setup-test ## Measure a clean build without ccache, by folder
	@scripts/build-times

lint: setup-lint format-check layers shell markdown words reference gates generated ## Check format, layers, scripts, pages, words, releases, gates and generated files

format-check:
	@scripts/format --check

layers:
	@scripts/check-layers

shell:
	@scripts/check-shell

markdown:
	@scripts/check-markdown

words:
	@scripts/check-words

reference:
	@scripts/check-reference

gates:
	@scripts/check-gates

generated: setup
	@scripts/build $(TEST) generate
	@build/$(TEST)/generate --check

upstream-diff: ## List the sources of kube-scheduler that changed, and the tests that cover them; OLD=1.36.3 NEW=1.37.2 (needs Go)
	@scripts/upstream-diff $(OLD) $(NEW)

tidy: setup-test setup-lint ## Run clang-tidy on changed files; SCOPE="base api" selects folders
	@scripts/tidy $(SCOPE)

tidy-all: setup-test setup-lint ## Run clang-tidy on all files
	@scripts/tidy all

format: setup-lint ## Format the C++ sources
	@scripts/format

generate: setup ## Generate crds/manifests, deploy/ and docs/plugins.md from the code
	@scripts/build $(TEST) generate
	@build/$(TEST)/generate

golden: setup-test ## Update the golden files (tests/controllers/golden) and docs/metrics.md; review the diff
	@scripts/build --tests $(TEST) controllers_test operator_test
	@BERTH_UPDATE_GOLDEN=1 build/$(TEST)/tests/controllers_test --gtest_brief=1 --gtest_filter='*Golden*'
	@BERTH_UPDATE_GOLDEN=1 build/$(TEST)/tests/operator_test --gtest_brief=1 --gtest_filter='MetricsList*'
	@git --no-pager diff --stat -- tests/controllers/golden docs/metrics.md

sanitize: setup-test ## Run the unit tests that CI runs under the address, undefined and thread sanitizers
	@scripts/run-sanitized

sanitize-build: setup-test ## Build the programs of sanitize
	@scripts/run-sanitized --build

sanitize-all: ## Run all unit and integration tests under these sanitizers (needs Go); takes an hour
	@for sanitizer in asan tsan; do $(MAKE) test test-integration PRESET=$$sanitizer; done

strict: ## Build with warnings as errors
	@$(MAKE) build PRESET=ci

presubmit: lint test tidy ## Run the checks required before review; CONTRIBUTING.md lists the gates

presubmit-full: export BERTH_FULL_TESTS = 1
presubmit-full: presubmit tidy-all strict conformance random-checks bench-check test-integration test-fidelity test-differential sanitize-all test-e2e test-e2e-upgrade test-kubernetes-e2e test-versions test-kubectl-versions newcomer ## Run every check at its full length (root, Go); takes hours

coverage: ## Run the unit tests and write a coverage report to build/coverage/report
	@scripts/setup coverage
	@$(MAKE) test PRESET=coverage
	@mkdir -p build/coverage/report
	@gcovr --root . --exclude tests/ --exclude build/ --html-details build/coverage/report/index.html --print-summary build/coverage

clean: ## Remove all builds except the control plane
	@find build -mindepth 1 -maxdepth 1 ! -name controlplane -exec rm -rf {} + 2>/dev/null || true
