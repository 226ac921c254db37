#!/bin/sh
: >"${CLAWBENCH_DATA_DIR:-/data}/agent-messages.jsonl"
exec node /app/random-click.js
