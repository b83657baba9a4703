# The tasks of this package. `make` alone lists them.
# A Mac's make, 3.81, has no .SHELLFLAGS: a recipe with a pipe is a script, which sets pipefail itself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# One build folder and one configuration for run, test and ci avoid building anything twice.
BINARY = $$(swift build --show-bin-path)/siwa
SWIFT_FOLDERS = Package.swift Sources Tests Benchmarks/Sources Examples

# The approximate number of steps of the first build of siwa.
BUILD_STEPS = 3500

# As the released program is linked.
RELEASE_LINKING = $$([ "$$(uname -s)" != Linux ] || echo --static-swift-stdlib)

# Only with this variable does the package have the benchmarks' target.
BENCH_BUILD = SIWA_BENCHMARKS=1 swift build --scratch-path Benchmarks/.build --configuration release

# How many accounts bench-scale compares with ten thousand.
ACCOUNTS = 10000000

# How long each fuzz target runs, in seconds, and which one; all targets if empty.
SECONDS = 600
TARGET =
# Nine targets, two at a time: about two and a half minutes.
NIGHTLY_SECONDS = 30

# How often make nightly kills a server under load; make test does it twelve times.
NIGHTLY_KILLS = 100

# Makes a target, and prints how long it took.
define stage
@start=$$(date +%s) && $(MAKE) $(1) && echo "==> $(firstword $(1)) took $$(($$(date +%s) - start)) s"
endef

# The folder in which scripts/browser installs a browser for the tests, on systems without a package.
export PATH := $(CURDIR)/.tools/bin:$(PATH)

.PHONY: help
help: ## List these targets
	@echo "usage: make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: setup ## Start Apple's emulator and the accounts server; options in ARGS="--port 9000"
	@echo "==> building siwa"
	@scripts/show-build .artifacts/run-build.log "$$([ -e "$(BINARY)" ] && echo 0 || echo $(BUILD_STEPS))" \
		swift build --product siwa
	@echo '==> starting siwa demo (Control-C ends it; other ports: make run ARGS="--port 9000")'
	@exec "$(BINARY)" demo $(ARGS)

.PHONY: test
test: setup-test ## Run the tests: Swift, browser, Python clients
	$(call stage,build-tests)
	$(call stage,test-swift)
	$(call stage,test-python)

.PHONY: build-tests
build-tests:
	@echo "==> building everything with the tests (the first build takes some minutes)"
	@swift build --build-tests

.PHONY: test-swift
test-swift:
	@echo "==> running the Swift tests"
	@scripts/test-swift

.PHONY: test-python
test-python:
	@echo "==> running the Python clients and the browsers against the built siwa; screenshots go to .artifacts/screenshots"
	@scripts/test-python "$(BINARY)"

# What make test leaves to make nightly.
.PHONY: test-nightly
test-nightly: setup-nightly build-tests
	@echo "==> running the Python tests marked nightly against the built siwa"
	@scripts/test-python "$(BINARY)" -m nightly
	@echo "==> killing a server $(NIGHTLY_KILLS) times under load"
	@SIWA_TEST_KILLS=$(NIGHTLY_KILLS) swift test --skip-build --filter RepeatedKillTests

.PHONY: dist
dist: setup ## Pack the release program into .artifacts: an archive, and a Debian package
	@scripts/setup dist
	@scripts/dist "$$(scripts/release-program)"

.PHONY: image
image: setup ## Make the container image in .artifacts, without an engine, and sign in to it
	@scripts/setup image
	@scripts/image "$$(scripts/release-program)"

.PHONY: release
release: setup ## Make every file that a release publishes, with checksums, in .artifacts/release
	@scripts/setup dist image
	@scripts/release

.PHONY: check-release
check-release: setup-test ## Make the release twice and compare it; run each file on a bare Debian without Swift
	@scripts/setup dist image
	@scripts/check-release
	@swift build --product siwa
	@echo "==> running what is released on a bare Debian"
	@scripts/test-python "$(BINARY)" -m release

.PHONY: apple
apple: ## On a Mac with Xcode: build kit and examples for each system, run the kit's tests (untried)
	@scripts/apple

.PHONY: frames
frames: ## Look for functions that the compiler gave too small a frame, in what was built
	@scripts/check-frames "$$(swift build --show-bin-path)"/*.build

.PHONY: bench
bench: setup-bench ## Measure against the floor and other libraries, in release mode
	@echo "==> building the benchmarks in release mode (the first build takes about ten minutes)"
	@$(BENCH_BUILD) --product siwa-bench $(RELEASE_LINKING)
	@scripts/check-frames "$$($(BENCH_BUILD) --show-bin-path)"/*.build
	@echo "==> measuring; close other programs, the figures are ratios taken in turns"
	@mkdir -p .artifacts
	@SIWA_BENCH_PYTHON="$$(scripts/python-libraries)" SIWA_BENCH_CHARTS=.artifacts \
		"$$($(BENCH_BUILD) --show-bin-path)/siwa-bench" $(ARGS)

.PHONY: bench-scale
bench-scale: ## Measure with ten million accounts, about half an hour; ACCOUNTS=1000000 for fewer
	@SIWA_BENCH_ACCOUNTS=$(ACCOUNTS) $(MAKE) bench ARGS="3 scale"

.PHONY: docs
docs: setup-test ## Draw the documents' pictures, and build the documentation into .artifacts/docs; a warning is an error
	@echo "==> drawing the pictures"
	@swift build --product siwa
	@scripts/pictures
	@echo "==> building the documentation"
	@scripts/docs .artifacts/docs
	@echo "==> to read it: python3 -m http.server --directory .artifacts/docs 8000"
	@echo "    and open http://localhost:8000/documentation"

.PHONY: fuzz
fuzz: setup ## Fuzz what comes from outside; SECONDS=60 for each target, TARGET=token for one
	@scripts/fuzz $(SECONDS) $(TARGET)

.PHONY: second-opinion
second-opinion: setup ## Have jwt-kit judge our tokens, and judge its
	@echo "==> building the second opinion (the first build takes some minutes)"
	@SIWA_HARDENING=1 swift build --scratch-path Tests/Hardening/.build --build-tests
	@SIWA_HARDENING=1 SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
		swift test --scratch-path Tests/Hardening/.build --skip-build

.PHONY: lint
lint: ## Check formatting and documentation comments
	@echo "==> checking the format of the sources"
	@swift format lint --strict --parallel --recursive $(SWIFT_FOLDERS)

.PHONY: format
format: ## Format the sources in place
	@swift format --in-place --parallel --recursive $(SWIFT_FOLDERS)

.PHONY: fidelity
fidelity: setup ## Write docs/reference/fidelity.md, and the lists of docs/reference/emulator.md, settings.md and docs/how-to/check.md
	@echo "==> building the tests (the first build takes some minutes)"
	@swift build --build-tests
	@SIWA_WRITE_DOCUMENTS=1 swift test --skip-build --filter '(FidelityTests|SwitchTests|CheckListTests|SettingTests).documentIsCurrent'
	@echo "==> wrote docs/reference/fidelity.md, the switches of docs/reference/emulator.md, the table of settings.md and the list of docs/how-to/check.md"

.PHONY: ci
ci: ## What a submission must pass: format, tests, frames
	$(call stage,lint)
	$(call stage,test)
	$(call stage,frames)
	@echo "==> all checks passed: format, Swift, browser, Python, frames"

.PHONY: nightly
nightly: ## Check what make ci leaves out: example, second opinion, fuzzing, languages, docs, packages, peers, a hundred kills
	$(call stage,docs)
	$(call stage,example)
	$(call stage,vapor)
	$(call stage,test-nightly)
	$(call stage,languages)
	$(call stage,check-release)
	$(call stage,second-opinion)
	$(call stage,fuzz FUZZ_SEED=1 SECONDS=$(NIGHTLY_SECONDS))
	@echo "==> all checks passed: documentation, example, nightly tests, languages, release, second opinion, fuzzing"

# A separate package like a user's, with the dependency versions of the tests.
.PHONY: example
example: setup-test ## Build the example app, run its tests, and follow its tutorial
	@echo "==> building the example and running its tests (the first build takes some minutes)"
	@if [ -f Package.resolved ]; then cp Package.resolved Examples/HelloApple/; fi
	@swift test --package-path Examples/HelloApple
	@swift build --product siwa
	@echo "==> following docs/tutorials/hummingbird-app.md"
	@scripts/test-python "$(BINARY)" -m example

.PHONY: vapor
vapor: setup ## Build the Vapor adapter and its example, and run their tests, where Vapor can be fetched
	@echo "==> building the Vapor example and running its tests (the first build takes some minutes)"
	@scripts/test-vapor

.PHONY: languages
languages: setup-languages ## Run the tests in eight languages that testers copy, and checks of access tokens
	@echo "==> building siwa (the first build takes some minutes)"
	@swift build --product siwa
	@echo "==> running the tests of Examples/Languages; what they print goes to .artifacts/examples"
	@scripts/test-examples "$(BINARY)"
	@echo "==> running two of each language in one emulator"
	@scripts/test-examples --shared "$(BINARY)"
	@echo "==> running the checks of Examples/AccessTokens in Go and Java"
	@scripts/test-python "$(BINARY)" -m languages

.PHONY: setup
setup: ## Install what building and running needs
	@scripts/setup run

.PHONY: setup-test
setup-test:
	@scripts/setup run test

.PHONY: setup-nightly
setup-nightly:
	@scripts/setup run test dist image languages

.PHONY: setup-languages
setup-languages:
	@scripts/setup run languages

.PHONY: setup-bench
setup-bench:
	@scripts/setup run bench
