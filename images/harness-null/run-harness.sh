#!/bin/sh
# Does nothing, and writes an empty transcript.
: > "${CLAWBENCH_DATA_DIR:-/data}/agent-messages.jsonl"
