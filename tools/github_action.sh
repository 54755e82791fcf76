#!/usr/bin/env bash
# The steps of the GitHub action: github_action.sh install | check | comment
# Everything comes in by the environment: GitHub's own variables, and GRAPHWRIGHT_ACTION_* that action.yml sets.
set -euo pipefail

export PYTHONUTF8=1
report=${RUNNER_TEMP:?}/graphwright.txt
marker='<!-- graphwright -->'

install() {
    # Without a version, the one that this action is part of: it needs no release.
    local wanted=${GITHUB_ACTION_PATH:?}
    if [ -n "${GRAPHWRIGHT_ACTION_VERSION:-}" ]; then wanted=graphwright==$GRAPHWRIGHT_ACTION_VERSION; fi
    python -m pip install --disable-pip-version-check --quiet "$wanted"
}

check() {
    local paths=() options=() line sarif=$RUNNER_TEMP/graphwright.sarif code=0
    while IFS= read -r line; do
        if [ -n "$line" ]; then paths+=("$line"); fi
    done <<<"${GRAPHWRIGHT_ACTION_PATHS:-.}"
    read -r -a options <<<"${GRAPHWRIGHT_ACTION_ARGS:-}" || true

    # The first run fills the cache that the other two read.
    run() { graphwright check --format "$1" ${options[@]+"${options[@]}"} -- "${paths[@]}"; }
    run sarif >"$sarif" || code=$?
    run github || true
    run text >"$report" || true
    {
        echo "exit-code=$code"
        echo "sarif=$sarif"
    } >>"${GITHUB_OUTPUT:?}"
    body "$code" >>"${GITHUB_STEP_SUMMARY:?}"
}

comment() {
    local code=${GRAPHWRIGHT_ACTION_EXIT_CODE:?} number=${GRAPHWRIGHT_ACTION_PULL_REQUEST:?}
    local repository=${GITHUB_REPOSITORY:?} text=$RUNNER_TEMP/graphwright.md ours
    ours=$(gh api --paginate "repos/$repository/issues/$number/comments" \
        --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || refused
    body "$code" >"$text"
    if [ -n "$ours" ]; then
        gh api --silent --method PATCH "repos/$repository/issues/comments/${ours%%$'\n'*}" -F body=@"$text" || refused
    elif [ "$code" != 0 ]; then
        gh api --silent --method POST "repos/$repository/issues/$number/comments" -F body=@"$text" || refused
    fi
}

# A pull request from a fork has a token that may only read.
refused() {
    echo '::warning::Graphwright could not comment on this pull request; the job needs the permission pull-requests: write'
    exit 0
}

# The report in Markdown. Indented as code, nothing in it is a link, an image or a mention; GitHub takes 65,536 characters.
body() {
    echo "$marker"
    case $1 in
        0) echo '**Graphwright** found nothing to fix.' ;;
        1) echo '**Graphwright** found code that fails or goes wrong once TensorFlow traces it.' ;;
        *) echo '**Graphwright** could not run.' ;;
    esac
    if [ -s "$report" ]; then
        echo
        python -c 'import sys; print("".join(f"    {line}\n" for line in sys.stdin.read(50_000).splitlines()))' <"$report"
    fi
}

case ${1:-} in
    install | check | comment) "$1" ;;
    *)
        echo 'usage: github_action.sh install | check | comment' >&2
        exit 2
        ;;
esac
