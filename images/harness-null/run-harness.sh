#!/bin/sh
# Does nothing, and says so by an empty transcript.
: > "${CLAWBENCH_DATA_DIR:-/data}/agent-messages.jsonl"
