"""The project's web addresses: the one place that states them.

It opens none of them. `tools/release_facts.py` writes them into the files that can't import this module.
"""

REPOSITORY = "https://github.com/graphwright/graphwright"
DOCUMENTATION = "https://graphwright.github.io/graphwright"
"""The site that `make docs` builds; if empty, rules link to files instead."""
PACKAGE = "https://pypi.org/project/graphwright"
EXTENSION = "https://open-vsx.org/extension/graphwright/graphwright"
