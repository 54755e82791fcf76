# Everything is installed inside the checkout, under .dev/, pinned by the lock files in requirements/.
# What each target needs is set up first, if it is missing or out of date; see tools/setup_environments.py.

.DEFAULT_GOAL := help
.PHONY: help demo test check truth editor whole corpus verdicts peers names random mutants docs pictures lint format extension release-check lock clean distclean

PYTEST_ARGS ?=
VENV := .dev/venv/bin
PYTEST = python -m pytest -n 2 --dist loadgroup
NODE := $(CURDIR)/.dev/node/bin/node

help:
	@echo 'Graphwright. Needs Python 3.10 or newer, make, and Node 18 or newer for VS Code; it installs everything else in .dev/.'
	@echo
	@echo '  make demo           open a real VS Code in the browser, on a copy of examples/ (PORT=8080, BROWSER=none)'
	@echo '  make test           run all tests, also those in a real VS Code if Chromium is installed (PYTEST_ARGS="-k name")'
	@echo '  make check          run the tests that need neither TensorFlow nor an editor; takes one to two minutes'
	@echo '  make truth          run the tests that need TensorFlow, and the slow ones'
	@echo '  make editor         run the tests in a real VS Code'
	@echo '  make whole          run all tests, and have those that try very many things try all of them; takes hours'
	@echo '  make corpus         check published TensorFlow code and compare with the reviewed findings'
	@echo '  make verdicts       run the tests of published packages with gw.function and compare with tf.function'
	@echo '  make peers          run the tests of published packages with every function converted, eagerly and in a trace'
	@echo '  make names          convert all functions of published packages and compare their names with the source'
	@echo '  make random         run 20,000 random programs eagerly, traced, under XLA and ejected, and compare the results'
	@echo '  make mutants        make small changes to the code and list those that no test notices (MUTANTS_ARGS="--count 20")'
	@echo '  make docs           build the documentation site: site/index.html, which needs no server and no network'
	@echo '  make pictures       take the pictures of the documentation again, in a real VS Code'
	@echo '  make lint           run ruff, pyright, tsc, biome and check the lock files'
	@echo '  make format         format the code with ruff and biome, and fix what they can'
	@echo '  make extension      build dist/graphwright-<version>.vsix'
	@echo '  make release-check  build, install and run everything in a release; takes two minutes'
	@echo '  make lock           update the lock files to the newest allowed versions'
	@echo '  make clean          remove everything that was built'
	@echo '  make distclean      remove the installed environments, too'

demo:
	@tools/setup_demo.sh

test:
	@tools/setup.sh venv docs
	@tools/setup_end_to_end.sh
	@$(VENV)/$(PYTEST) $(PYTEST_ARGS)

check:
	@tools/setup.sh check
	@.dev/check/bin/$(PYTEST) --tier check $(PYTEST_ARGS)

truth:
	@tools/setup.sh venv docs
	@$(VENV)/$(PYTEST) --tier truth $(PYTEST_ARGS)

editor:
	@tools/setup.sh venv
	@tools/setup_end_to_end.sh
	@$(VENV)/$(PYTEST) --tier editor $(PYTEST_ARGS)

whole:
	@tools/setup.sh venv docs
	@tools/setup_end_to_end.sh
	@$(VENV)/$(PYTEST) --whole $(PYTEST_ARGS)

corpus:
	@tools/setup.sh venv
	@$(VENV)/python tools/check_corpus.py $(CORPUS_ARGS)

verdicts:
	@tools/setup.sh venv others
	@$(VENV)/python tools/compare_verdicts.py $(VERDICTS_ARGS)

peers:
	@tools/setup.sh venv
	@$(VENV)/python tools/peers.py $(PEERS_ARGS)

names:
	@tools/setup.sh venv
	@$(VENV)/python tools/scan_generated_names.py

random:
	@tools/setup.sh venv
	@$(VENV)/python tests/converter/random_programs.py --count 20000 $(RANDOM_ARGS)

mutants:
	@tools/setup.sh venv
	@$(VENV)/python tools/mutate.py --sets
	@$(VENV)/python tools/mutate.py $(MUTANTS_ARGS)

docs:
	@tools/setup.sh docs
	@rm -rf site
	@.dev/docs/bin/sphinx-build -q -W --keep-going -n docs site
	@rm -rf site/.doctrees site/.buildinfo
	@echo site/index.html

pictures:
	@tools/setup.sh docs pip venv
	@GRAPHWRIGHT_E2E=require tools/setup_end_to_end.sh
	@for theme in dark light; do for scenario in tour hints preview trace; do \
		CHROMIUM=$$(tools/setup_chromium.sh) PATH="$$PWD/.dev/pip/bin:$$PATH" GRAPHWRIGHT_E2E_PYTHON=$$PWD/$(VENV)/python \
			.dev/node/bin/node vscode-extension/e2e/run.mjs $$scenario dist/graphwright-*.vsix \
			examples/undefined_in_branch.py .dev/pictures $$theme || exit 1; \
	done; done
	@.dev/docs/bin/python tools/make_pictures.py .dev/pictures
	@$(VENV)/python tools/draw_trace.py
	@$(VENV)/python tools/picture_inputs.py

lint:
	@tools/setup.sh venv extension-modules
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(NODE) .dev/node/node_modules/pyright/index.js --warnings
	$(NODE) .dev/node/node_modules/pyright/index.js -p tests --warnings
	cd vscode-extension && for part in . src/webview test e2e; do $(NODE) node_modules/typescript/bin/tsc --noEmit -p $$part || exit 1; done
	cd vscode-extension && $(NODE) node_modules/@biomejs/biome/bin/biome ci --error-on-warnings
	$(VENV)/python tools/check_locks.py

format:
	@tools/setup.sh venv extension-modules
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .
	cd vscode-extension && $(NODE) node_modules/@biomejs/biome/bin/biome check --write

extension:
	@tools/setup.sh vsix
	@ls dist/*.vsix

release-check:
	@tools/setup.sh vsix release
	@tools/setup_end_to_end.sh
	@.dev/release/bin/python tools/check_release.py

lock:
	@tools/setup_locks.sh

clean:
	rm -rf dist site vscode-extension/out vscode-extension/bundled/libs .dev/demo
	rm -rf .pytest_cache .ruff_cache .hypothesis .import_linter_cache tests/e2e/shots
	find analysis converter server tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .dev vscode-extension/node_modules
