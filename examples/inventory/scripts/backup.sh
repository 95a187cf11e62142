#!/bin/sh
# Packs data/ into backups/ and keeps the newest seven files.
set -eu

cd "$(dirname "$0")/.."
mkdir -p backups
tar -czf "backups/data-$(date +%Y%m%d).tar.gz" data

ls -1t backups/data-*.tar.gz | tail -n +8 | while read -r old; do
  rm -- "$old"
done
