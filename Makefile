# What a developer runs; `make help` lists it. CI (.ci/run) runs these same targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The build that targets work in: release, dev, asan, tsan, coverage, ci.
PRESET ?= release
BUILD := build/$(PRESET)
JOBS ?= $(shell nproc)
NINJA = cmake --build $(BUILD) -j $(JOBS) --target

.PHONY: help setup configure build controlplane demo test test-integration test-fidelity conformance reuse-check bench bench-check bench-record lint lint-tools \
        format-check layers generated shell tidy format generate presubmit presubmit-full coverage clean

help: ## List the targets
	@echo "make TARGET [PRESET=release|dev|asan|tsan|coverage|ci] [JOBS=n]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-18s %s\n", $$1, $$2}' Makefile

setup: ## Install the Debian packages that are missing, saying which and why
	@scripts/setup build

configure: setup
	@[ -f $(BUILD)/build.ninja ] || cmake --preset $(PRESET)

build: configure ## Build build/release/berth and build/release/conformance
	$(NINJA) berth conformance

controlplane: ## Build the real control plane that tests compare with (needs Go)
	@scripts/controlplane-build

demo: configure ## Show Berth at work on this machine; ARGS="--keep --nodes 20 --pods 40"
	$(NINJA) berth-sandbox
	@$(BUILD)/berth-sandbox demo $(ARGS)

test: configure ## Build and run the unit tests
	$(NINJA) unit-tests
	@scripts/run-tests $(PRESET) unit -j $(JOBS)

test-integration: configure ## Run the integration tests on a real control plane (needs Go)
	@scripts/run-integration $(PRESET)

test-fidelity: configure ## Compare the in-memory API server with the real one, request by request (needs Go)
	$(NINJA) fidelity berth-sandbox
	@scripts/run-fidelity $(PRESET)

conformance: configure ## Compare answers with those of kube-scheduler: reuse off, cold, warm
	$(NINJA) conformance
	@scripts/run-conformance $(PRESET)

reuse-check: configure ## Compare 600,000 random steps with and without reuse of answers; minutes
	$(NINJA) reuse_check
	@$(BUILD)/reuse_check --seeds 1..12 --steps 12500 --nodes 500
	@$(BUILD)/reuse_check --seeds 101..112 --steps 4200 --nodes 2000
	@$(BUILD)/reuse_check --seeds 201..220 --steps 20000 --nodes 40

bench: configure ## Time the benchmarks and the API server, measure memory; CASES=regex for some
	$(NINJA) benchmarks memory_use apiserver_load berth-sandbox
	@$(BUILD)/benchmarks --benchmark_filter='$(or $(CASES),.)' tests/scenarios/workloads/*.yaml
	@$(BUILD)/memory_use
	@$(BUILD)/apiserver_load
	@$(BUILD)/apiserver_load --tls

bench-check: configure ## Count instructions of the benchmarks; fails beyond 3 % more than recorded
	$(NINJA) count_instructions
	@scripts/bench-check $(PRESET)

bench-record: configure ## Record those counts for this compiler version
	$(NINJA) count_instructions
	@scripts/bench-check $(PRESET) --record

lint: lint-tools format-check layers shell generated ## Check format, layers, scripts, generated files

lint-tools:
	@scripts/setup lint

format-check:
	@scripts/format --check

layers:
	@scripts/check-layers

shell:
	@scripts/check-shell

generated: configure
	$(NINJA) generate
	@$(BUILD)/generate --check

tidy: lint-tools configure ## Run clang-tidy on changed files; SCOPE=all for all
	@scripts/tidy $(PRESET) $(SCOPE)

format: lint-tools ## Format the C++ sources
	@scripts/format

generate: configure ## Write the generated manifests: crds/manifests, deploy
	$(NINJA) generate
	@$(BUILD)/generate

presubmit: lint test tidy ## All that a change must pass; some minutes

presubmit-full: presubmit test-integration test-fidelity conformance bench-check ## presubmit, sanitizers, warnings as errors, control plane, conformance, instruction counts
	@$(MAKE) test PRESET=asan
	@$(MAKE) test PRESET=tsan
	@$(MAKE) build PRESET=ci

coverage: ## Unit tests with a coverage report in build/coverage/report
	@scripts/setup coverage
	@$(MAKE) test PRESET=coverage
	@mkdir -p build/coverage/report
	@gcovr --root . --exclude tests/ --exclude build/ --html-details build/coverage/report/index.html --print-summary build/coverage

clean: ## Remove all builds but keep the control plane
	@find build -mindepth 1 -maxdepth 1 ! -name controlplane -exec rm -rf {} + 2>/dev/null || true
