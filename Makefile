# Legwork: `make help` lists what can be made.
BUILD ?= build
SANITIZED ?= build-sanitize
PACKAGE ?= build-package
JOBS ?= $(shell nproc)
CONFIGURE = cmake -G Ninja -DLEGWORK_WERROR=ON
MINUTES ?= 10
THREADED = test_base test_discover test_evolve test_reach test_search test_archive test_methods test_physics
space := $(subst ,, )
CTEST = ctest --output-on-failure --no-tests=error -j$(JOBS)

.PHONY: help demo build python test test-quick test-long test-sanitize test-threads test-bits fuzz package bench gpu study site format clean
.DEFAULT_GOAL := help

help:  ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

demo: build  ## build the program and show what Legwork does
	scripts/demo.sh $(BUILD)

build:  ## the library and the program build/legwork
	scripts/install_dependencies.sh build viewer
	$(CONFIGURE) -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS) --target legwork_cli

python:  ## the Python package build/python/legwork, built and tested
	scripts/install_dependencies.sh build viewer python test
	$(CONFIGURE) -DLEGWORK_TESTS=ON -DLEGWORK_PYTHON=ON -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS) --target legwork_python_package legwork_cli
	$(CTEST) --test-dir $(BUILD) -R '^python_|^house_python'

test: test-build  ## all tests and the rules of the house
	cmake --build $(BUILD) -j$(JOBS) --target build_slow
	$(CTEST) --test-dir $(BUILD)

test-quick: test-build  ## the tests that take seconds
	$(CTEST) --test-dir $(BUILD) -LE slow

.PHONY: test-build
test-build:
	scripts/install_dependencies.sh build viewer python test
	$(CONFIGURE) -DLEGWORK_TESTS=ON -DLEGWORK_PYTHON=ON -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS)

test-bits:  ## one table of hashes: compilers, levels of x86-64, arm64, riscv64; VARIANT=arm64 for some
	scripts/install_dependencies.sh build bits
	tests/bits/bits.sh $(BUILD) "$(VARIANT)"

fuzz:  ## readers and verbs on mutated files with libFuzzer, for MINUTES=10 in all; corpora grow in build/fuzz
	scripts/install_dependencies.sh build viewer sanitize
	$(CONFIGURE) -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS) --target fuzz
	scripts/fuzz.sh $(BUILD) $(MINUTES)

test-threads:  ## the tests that use threads under the thread sanitizer
	scripts/install_dependencies.sh build viewer python test sanitize
	$(CONFIGURE) -DLEGWORK_TESTS=ON -DLEGWORK_SANITIZE=thread -S . -B $(SANITIZED)-threads
	cmake --build $(SANITIZED)-threads -j$(JOBS) --target $(THREADED)
	$(CTEST) --test-dir $(SANITIZED)-threads -R '^($(subst $(space),|,$(THREADED)))$$'

test-sanitize:  ## all tests under the address and undefined-behaviour sanitizers
	scripts/install_dependencies.sh build viewer python test sanitize
	$(CONFIGURE) -DLEGWORK_TESTS=ON -DLEGWORK_PYTHON=ON -DLEGWORK_SANITIZE=ON -S . -B $(SANITIZED)
	cmake --build $(SANITIZED) -j$(JOBS)
	$(CTEST) --test-dir $(SANITIZED) -E '^house_|_O0$$'

test-long: package  ## the long proofs: package on a bare Debian and a processor of 2003, a guest's build, pip from a clone, Blender, longer searches
	scripts/install_dependencies.sh test long
	tests/package/bare_debian.sh $(PACKAGE)
	tests/package/add_subdirectory.sh $(PACKAGE)
	tests/package/pip_clone.sh $(PACKAGE)
	$(CONFIGURE) -DLEGWORK_TESTS=ON -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS) --target test_methods_slow test_formats_slow
	LEGWORK_LONG=1 $(BUILD)/tests/test_formats_slow
	LEGWORK_LONG=1 $(BUILD)/tests/test_methods_slow

package:  ## the Debian package build-package/legwork_VERSION_amd64.deb, for every x86-64 processor
	scripts/install_dependencies.sh build viewer python package
	$(CONFIGURE) -DLEGWORK_LEVEL=x86-64 '-DLEGWORK_MORE_LEVELS=x86-64-v3;x86-64-v4' -DLEGWORK_TESTS=OFF -DLEGWORK_PYTHON=ON \
	  -DCMAKE_INSTALL_PREFIX=/usr -S . -B $(PACKAGE)
	cmake --build $(PACKAGE) -j$(JOBS) --target legwork_levels legwork_cli legwork_python_package
	cd $(PACKAGE) && cpack

bench:  ## speed, side by side with MuJoCo, DART and Bullet; writes build/bench.json
	scripts/install_dependencies.sh build viewer python test bench
	$(CONFIGURE) -DLEGWORK_PYTHON=ON -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS) --target bench_all
	scripts/bench.sh $(BUILD)

gpu:  ## programs for an NVIDIA graphics processor, build/gpu/: rollouts there, compared and counted; needs nvcc
	scripts/install_dependencies.sh build viewer
	$(CONFIGURE) -S . -B $(BUILD)
	cmake --build $(BUILD) -j$(JOBS) --target emit
	scripts/gpu.sh $(BUILD)

study: build  ## the long studies of studies/ and the benchmark of walking (METHOD=walk, METHOD=walkers, METHOD=torture for one); resumable
	scripts/study.sh $(BUILD) $(METHOD)

site:  ## the documents as a site that works offline: build/site/index.html
	scripts/install_dependencies.sh site
	mkdocs build --quiet --strict --site-dir $(abspath $(BUILD))/site

format:  ## clang-format every source
	git ls-files --cached --others --exclude-standard '*.h' '*.cpp' | xargs -r ls -d 2>/dev/null | xargs -r clang-format -i

clean:  ## remove what was built
	rm -rf $(BUILD) $(SANITIZED) $(SANITIZED)-threads $(PACKAGE)
