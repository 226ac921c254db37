#!/bin/sh
exec node /app/random-click.js
