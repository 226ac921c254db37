#!/bin/sh
# What this container knows is kept with the run: no key may be in it.
env >"${CLAWBENCH_DATA_DIR:-/data}/env.log"
ls -R / >"${CLAWBENCH_DATA_DIR:-/data}/files.log" 2>/dev/null
exec node /app/probe.js
