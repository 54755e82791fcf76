#!/bin/sh
# Prints the path of a Chromium that the end-to-end tests can drive, or says what to install.
# CHROMIUM names one; otherwise the PATH is searched.
for candidate in ${CHROMIUM:-chromium chromium-browser google-chrome-stable google-chrome} \
    '/Applications/Chromium.app/Contents/MacOS/Chromium' \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
    if found=$(command -v "$candidate" 2>/dev/null); then
        echo "$found"
        exit 0
    fi
done
echo 'no Chromium was found (Debian: sudo apt-get install chromium; or set CHROMIUM=/path/to/it)' >&2
exit 1
