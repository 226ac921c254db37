#!/bin/sh
exec node /app/replay.js
