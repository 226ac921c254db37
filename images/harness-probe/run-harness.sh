#!/bin/sh
# Stores what this container can see with the run, so that tests can check that it contains no key.
env >"${CLAWBENCH_DATA_DIR:-/data}/env.log"
ls -R / >"${CLAWBENCH_DATA_DIR:-/data}/files.log" 2>/dev/null
exec node /app/probe.js
